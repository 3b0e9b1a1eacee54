import { badParameter, conflict } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { parseReference, type Reference, taggedName } from './reference.ts';

const repositoryForm = /^[a-zA-Z0-9._:-]+(?:\/[a-zA-Z0-9._-]+)*$/;

/** The name from `repo` and `tag`; `tag` takes precedence over a tag in `repo`. Throws 400 for an invalid name. */
export function readNewName(repo: string, tag: string | undefined): Reference {
  const { repository, tag: inRepo, digest } = parseReference(repo);
  if (digest !== undefined || !repositoryForm.test(repository)) throw badParameter(`repo: ${repo} is not a repository`);
  const wanted = tag ?? inRepo;
  if (wanted !== undefined && !/^\w[\w.-]{0,127}$/.test(wanted)) throw badParameter(`tag: ${wanted} is not a tag`);
  return { repository, tag: wanted, digest: undefined };
}

/** POST /images/{name}/tag (Document 3, Tag an image). Another image's name is taken from it only with `force`. */
export function tagImage(call: Call, name: string): void {
  const { images, events } = call.engine;
  const image = images.get(name);
  const repo = call.query.text('repo');
  if (repo === undefined) throw badParameter('repo: no repository is named');
  const tag = taggedName(readNewName(repo, call.query.text('tag')));
  const force = call.query.flag('force');
  const before = images.find(tag);
  if (before && before.id !== image.id && !force) throw conflict(`${tag} is the name of another image: force moves it`);
  images.tag(image.id, tag);
  events.emit('image', 'tag', image.id, { ...image.config.labels, name: tag });
  call.answerEmpty(201);
}
