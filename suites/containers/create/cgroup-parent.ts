import { check } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { outputWith } from '../../../harness/engine/output.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { NotApplicable } from '../../../harness/verdict/outcomes.ts';

const field = 'HostConfig.CgroupParent';

/** The control groups of a container's process and of its process 1, by hierarchy. */
interface Groups {
  readonly own: ReadonlyMap<string, string>;
  readonly first: ReadonlyMap<string, string>;
  readonly evidence: Exchange;
}

/** The lines of a /proc/PID/cgroup: number of the hierarchy, its controllers, path. */
function parse(text: string): ReadonlyMap<string, string> {
  const lines = text.matchAll(/^\d+:([^:]*):(.*)$/gm);
  return new Map([...lines].map(([, controllers = '', path = '']) => [controllers, path]));
}

/**
 * Runs a container with a parent group.
 * @throws NotApplicable when the host keeps its groups from containers, or leaves them to systemd, which accepts slice
 * names but no paths
 */
async function groupsWith(engine: Engine, CgroupParent: string, hostConfig = {}): Promise<Groups> {
  const info = await given(engine.get('/info'), 200);
  if (valuesAt(info.json, 'CgroupDriver')[0] === 'systemd') throw new NotApplicable('systemd makes the control groups');
  const run = ['read', '/proc/self/cgroup', 'out', '|', 'read', '/proc/1/cgroup'];
  const { stdout, evidence } = await outputWith(engine, { run, hostConfig: { CgroupParent, ...hostConfig } });
  const [own = '', first = ''] = stdout.split('|');
  const groups = { own: parse(own), first: parse(first), evidence };
  if (![...groups.own.values()].some((path) => path.length > 1)) {
    throw new NotApplicable('containers on this host do not see their control groups');
  }
  return groups;
}

for (const name of ['cgroup-parent-absolute', 'cgroup-parent-created'] as const) {
  check(
    `containers.create.host-config.${name}`,
    { faults: [ignoresBodyField(field), takesBodyFieldAs(field, '/another')] },
    async ({ engine }) => {
      const parent = `/${engine.sandbox.prefix}cgroup`;
      const { own, evidence } = await groupsWith(engine, parent);
      const below = [...own].filter(([, path]) => path.startsWith(`${parent}/`));
      expectValue('control groups of the container below the parent', below.length, [evidence]).toSatisfy(
        'one or more',
        (count) => Number(count) > 0,
      );
    },
  );
}

check(
  'containers.create.host-config.cgroup-parent-relative',
  { faults: [ignoresBodyField(field), takesBodyFieldAs(field, '/another')] },
  async ({ engine }) => {
    const parent = `${engine.sandbox.prefix}cgroup`;
    const { own, first, evidence } = await groupsWith(engine, parent, { PidMode: 'host' });
    const below = [...own].filter(([controllers, path]) => {
      const init = first.get(controllers)?.replace(/\/$/, '');
      return init !== undefined && path.startsWith(`${init}/${parent}/`);
    });
    expectValue('control groups of the container below the parent in that of process 1', below.length, [
      evidence,
    ]).toSatisfy('one or more', (count) => Number(count) > 0);
  },
);
