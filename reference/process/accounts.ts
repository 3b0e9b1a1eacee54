import type { View } from './mounts.ts';
import type { Credentials } from './process.ts';

/** Fields of each line of a file like /etc/passwd; no lines when there is no such file. */
function table(view: View, path: string): string[][] {
  let text = '';
  try {
    const { node } = view.find(path);
    if (node?.kind === 'file') text = node.data.toString();
  } catch {
    return [];
  }
  return text.split('\n').map((line) => line.split(':'));
}

function id(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

/** A user's credentials and home. */
export interface Account {
  readonly credentials: Credentials;
  readonly home: string;
}

/** Reads `user[:group]` (names or numbers) with the container's own files. Throws Error when there is no such name. */
export function findAccount(view: View, user: string, moreGroups: readonly string[]): Account {
  const [userText = '', groupText = ''] = user.split(':');
  const users = table(view, '/etc/passwd');
  const groups = table(view, '/etc/group');
  const wanted = userText || '0';
  const entry = users.find(([name, , uid]) => name === wanted || uid === wanted);
  const uid = id(entry?.[2] ?? wanted);
  if (uid === undefined) throw new Error(`unable to find the user ${userText}`);
  const gid = groupText ? groupId(groups, groupText) : (id(entry?.[3] ?? '0') ?? 0);
  const own = groupText
    ? []
    : groups.filter((group) => memberOf(group, entry?.[0])).map(([, , text]) => id(text ?? ''));
  const added = moreGroups.map((name) => groupId(groups, name));
  const all = [gid, ...own, ...added].filter((group) => group !== undefined);
  const sorted = [...new Set(all)].sort((a, b) => a - b);
  return { credentials: { uid, gid, groups: sorted }, home: entry?.[5] || '/' };
}

function memberOf(group: readonly string[], name: string | undefined): boolean {
  return name !== undefined && (group[3] ?? '').split(',').includes(name);
}

function groupId(groups: readonly string[][], text: string): number {
  const entry = groups.find(([name, , gid]) => name === text || gid === text);
  const gid = id(entry?.[2] ?? text);
  if (gid === undefined) throw new Error(`unable to find the group ${text}`);
  return gid;
}
