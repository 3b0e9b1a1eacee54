import { type CheckContext, check, type FixtureContext, fixture } from '../../../harness/check.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { type ContainerOutput, outputWith } from '../../../harness/engine/output.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { NotApplicable } from '../../../harness/verdict/outcomes.ts';
import { unlessLacked } from '../../support/host-warnings.ts';
import { bridged, isolated } from '../support/created-together.ts';
import type { ShownSetting } from '../support/tried-together.ts';

const field = 'HostConfig.CgroupParent';

/** The control groups of a container's process and of its process 1, by hierarchy. */
interface Groups {
  readonly own: ReadonlyMap<string, string>;
  readonly first: ReadonlyMap<string, string>;
}

/** The lines of a /proc/PID/cgroup: number of the hierarchy, its controllers, path. */
function parse(text: string): ReadonlyMap<string, string> {
  const lines = text.matchAll(/^\d+:([^:]*):(.*)$/gm);
  return new Map([...lines].map(([, controllers = '', path = '']) => [controllers, path]));
}

/** Asked once for all versions: a daemon has one driver. */
const driver = fixture(
  'the driver of control groups',
  async ({ engine }) => valuesAt((await given(engine.get('/info'), 200)).json, 'CgroupDriver')[0],
  { allVersions: (made) => made },
);

/** @throws NotApplicable where systemd makes the groups, as it accepts slice names but no paths */
async function groupsUnder({ use }: Pick<CheckContext, 'use'>, parent: string, others = {}): Promise<ShownSetting> {
  if ((await use(driver)) === 'systemd') throw new NotApplicable('systemd makes the control groups');
  return {
    run: ['read', '/proc/self/cgroup', 'out', '|', 'read', '/proc/1/cgroup'],
    hostConfig: { CgroupParent: parent, ...others },
  };
}

function groupsIn(stdout: string): Groups {
  const [own = '', first = ''] = stdout.split('|');
  return { own: parse(own), first: parse(first) };
}

/**
 * What a container with a parent group shows.
 * @throws NotApplicable when the host keeps its groups from containers, or leaves them to systemd
 */
async function groupsOf(
  context: CheckContext,
  setting: ShownSetting,
  shown: ContainerOutput | undefined,
): Promise<Groups & { readonly evidence: Exchange }> {
  const { stdout, evidence } = shown ?? (await outputWith(context.engine, setting));
  const groups = { ...groupsIn(stdout), evidence };
  if (![...groups.own.values()].some((path) => path.length > 1)) {
    throw new NotApplicable('containers on this host do not see their control groups');
  }
  return groups;
}

function parentOf({ sandbox }: Engine): string {
  return `${sandbox.prefix}cgroup`;
}

/** The control groups of the container that are below an absolute parent. */
function belowIn({ own }: Groups, parent: string): number {
  return [...own.values()].filter((path) => path.startsWith(`${parent}/`)).length;
}

for (const name of ['cgroup-parent-absolute', 'cgroup-parent-created'] as const) {
  const id = `containers.create.host-config.${name}` as const;
  bridged.add(id, (context) => groupsUnder(context, `/${parentOf(context.engine)}`));
  check(id, { faults: [ignoresBodyField(field), takesBodyFieldAs(field, '/another')] }, async (context) => {
    const parent = `/${parentOf(context.engine)}`;
    const setting = await groupsUnder(context, parent);
    const shown = await bridged.outputOf(context, id, (stdout) => {
      return belowIn(groupsIn(stdout), parent) > 0;
    });
    const groups = await groupsOf(context, setting, shown);
    const below = belowIn(groups, parent);
    if (below === 0) await unlessLacked(context);
    expectValue('control groups of the container below the parent', below, [groups.evidence]).toSatisfy(
      'one or more',
      (count) => Number(count) > 0,
    );
  });
}

/** The control groups of the container that are below a parent in those of process 1. */
function belowFirstIn({ own, first }: Groups, parent: string): number {
  const below = [...own].filter(([controllers, path]) => {
    const init = first.get(controllers)?.replace(/\/$/, '');
    return init !== undefined && path.startsWith(`${init}/${parent}/`);
  });
  return below.length;
}

const relative = 'containers.create.host-config.cgroup-parent-relative';
const groupsOnHost = (context: FixtureContext) => groupsUnder(context, parentOf(context.engine), { PidMode: 'host' });
isolated.add(relative, groupsOnHost);

check(relative, { faults: [ignoresBodyField(field), takesBodyFieldAs(field, '/another')] }, async (context) => {
  const parent = parentOf(context.engine);
  const setting = await groupsOnHost(context);
  const shown = await isolated.outputOf(context, relative, (stdout) => belowFirstIn(groupsIn(stdout), parent) > 0);
  if (!shown) await unlessLacked(context);
  // Where no container sees the processes of the host, as where users are remapped, a refusal is not for the control group.
  if (!shown) await makeContainer(context.engine, { state: 'running', hostConfig: { PidMode: 'host' } });
  const groups = await groupsOf(context, setting, shown);
  expectValue('control groups of the container below the parent in that of process 1', belowFirstIn(groups, parent), [
    groups.evidence,
  ]).toSatisfy('one or more', (count) => Number(count) > 0);
});
