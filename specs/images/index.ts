import { build, buildRules } from './build.ts';
import { commit, commitRules } from './commit.ts';
import { create, createRules } from './create.ts';
import { history, historyRules } from './history.ts';
import { inspect, inspectRules } from './inspect.ts';
import { list, listRules } from './list.ts';
import { load, loadRules } from './load.ts';
import { push, pushRules } from './push.ts';
import { remove, removeRules } from './remove.ts';
import { save, saveRules, saveSeveral, saveSeveralRules } from './save.ts';
import { search, searchRules } from './search.ts';
import { tag, tagRules } from './tag.ts';

/** The endpoints for images, in the order of Document 3. */
export const imageEndpoints = [
  list,
  build,
  create,
  inspect,
  history,
  push,
  tag,
  remove,
  search,
  commit,
  save,
  saveSeveral,
  load,
] as const;

export const imageRules = {
  ...listRules,
  ...buildRules,
  ...createRules,
  ...inspectRules,
  ...historyRules,
  ...pushRules,
  ...tagRules,
  ...removeRules,
  ...searchRules,
  ...commitRules,
  ...saveRules,
  ...saveSeveralRules,
  ...loadRules,
};
