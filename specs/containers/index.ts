import { archiveGet, archiveGetRules, archiveStat, archiveStatRules } from './archive.ts';
import { archivePut, archivePutRules } from './archive-put.ts';
import { attach, attachRules } from './attach.ts';
import { attachWs, attachWsRules } from './attach-ws.ts';
import { changes, changesRules } from './changes.ts';
import { copy, copyRules } from './copy.ts';
import { create, createRules } from './create.ts';
import { exportContainer, exportRules } from './export.ts';
import { inspect, inspectRules } from './inspect.ts';
import { kill, killRules } from './kill.ts';
import { list, listRules } from './list.ts';
import { logs, logsRules } from './logs.ts';
import { pause, pauseRules, unpause, unpauseRules } from './pause.ts';
import { remove, removeRules } from './remove.ts';
import { rename, renameRules } from './rename.ts';
import { resize, resizeRules } from './resize.ts';
import { restart, restartRules } from './restart.ts';
import { start, startRules } from './start.ts';
import { stats, statsRules } from './stats.ts';
import { stop, stopRules } from './stop.ts';
import { top, topRules } from './top.ts';
import { update, updateRules } from './update.ts';
import { wait, waitRules } from './wait.ts';

/** The endpoints that act on containers, in the order of Document 2. */
export const containerEndpoints = [
  list,
  create,
  inspect,
  top,
  logs,
  changes,
  exportContainer,
  stats,
  resize,
  start,
  stop,
  restart,
  kill,
  update,
  rename,
  pause,
  unpause,
  attach,
  attachWs,
  wait,
  remove,
  copy,
  archiveStat,
  archiveGet,
  archivePut,
] as const;

export const containerRules = {
  ...listRules,
  ...createRules,
  ...inspectRules,
  ...topRules,
  ...logsRules,
  ...changesRules,
  ...exportRules,
  ...statsRules,
  ...resizeRules,
  ...startRules,
  ...stopRules,
  ...restartRules,
  ...killRules,
  ...updateRules,
  ...renameRules,
  ...pauseRules,
  ...unpauseRules,
  ...attachRules,
  ...attachWsRules,
  ...waitRules,
  ...removeRules,
  ...copyRules,
  ...archiveStatRules,
  ...archiveGetRules,
  ...archivePutRules,
};
