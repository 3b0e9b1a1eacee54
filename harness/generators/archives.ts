import fc from 'fast-check';
import type { TarMember } from '../engine/tar-bytes.ts';

const oddNames = [
  'with space',
  '-dash',
  '.hidden',
  '...',
  'per%cent',
  'back\\slash',
  'quo\'te"s',
  'new\nline',
  'tab\there',
  'ünï',
  '日本',
  '😀',
  'x'.repeat(99),
  'x'.repeat(100),
  'y'.repeat(101),
  'n'.repeat(155),
  'é'.repeat(60),
  'm'.repeat(250),
];

/**
 * Names of a file in a directory: letters, unusual ones, long ones. Made only where they are used, as fast-check takes
 * a while to go through all graphemes.
 */
export function fileNames(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...'abcxyz019_'), minLength: 1, maxLength: 8 }) },
    { weight: 3, arbitrary: fc.constantFrom(...oddNames) },
    {
      weight: 1,
      arbitrary: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
        .map((name) => name.replace(/[/\0]/g, '_'))
        .filter((name) => name !== '.' && name !== '..' && !name.startsWith('.wh.')),
    },
  );
}

/** Sizes around the block size of an archive, and some larger ones. */
const sizes = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 511, 512, 513, 1_024, 10_240) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 200_000 }) },
);

const targets = fc.constantFrom('a', './b c', '/etc/passwd', '/no/such', 'ünï', `${'t/'.repeat(60)}end`);

const planned = {
  /** The directory that it is in: one of the previous ones, or the root. */
  parent: fc.nat({ max: 20 }),
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('file' as const) },
    { weight: 3, arbitrary: fc.constant('directory' as const) },
    { weight: 1, arbitrary: fc.constant('symlink' as const) },
    { weight: 1, arbitrary: fc.constant('link' as const) },
  ),
  mode: fc.constantFrom(0o644, 0o600, 0o755, 0o400, 0o777, 0o000),
  time: fc.integer({ min: 0, max: 2_000_000_000 }),
  size: sizes,
  first: fc.nat({ max: 255 }),
  target: targets,
  long: fc.constantFrom('pax' as const, 'gnu' as const),
  alwaysPax: fc.boolean(),
};

/** Files of an archive, each below a directory that comes before it. Names are unique. */
export function archiveMembers(): fc.Arbitrary<TarMember[]> {
  const plans = fc.array(fc.record({ name: fileNames(), ...planned }), { minLength: 1, maxLength: 16, size: 'max' });
  // Without bias, so that even a few runs have rich values.
  return fc.noBias(plans).map((plans) => {
    const members = new Map<string, TarMember>();
    for (const plan of plans) {
      const all = [...members.values()];
      const directories = all.filter(({ type, name }) => type === 'directory' && name.split('/').length < 4);
      const files = all.filter(({ type }) => type === 'file');
      const parent = [undefined, ...directories][plan.parent % (directories.length + 1)];
      const name = parent ? `${parent.name}/${plan.name}` : plan.name;
      if (!members.has(name)) members.set(name, memberOf(plan, name, files[plan.parent % (files.length || 1)]));
    }
    return [...members.values()];
  });
}

function memberOf(
  plan: Pick<TarMember, 'mode' | 'time' | 'long' | 'alwaysPax'> & {
    kind: TarMember['type'];
    size: number;
    first: number;
    target: string;
  },
  name: string,
  linked: TarMember | undefined,
): TarMember {
  const { mode, time, long } = plan;
  const common = { name, mode, time, long, alwaysPax: plan.alwaysPax === true };
  if (plan.kind === 'directory') return { ...common, type: 'directory', mode: mode | 0o700 };
  if (plan.kind === 'symlink') return { ...common, type: 'symlink', target: plan.target };
  // A hard link is the same file, with the same permissions and time.
  if (plan.kind === 'link' && linked) {
    return { ...common, type: 'link', target: linked.name, mode: linked.mode, time: linked.time };
  }
  return { ...common, type: 'file', content: patterned(plan.size, plan.first) };
}

/** Bytes that differ from block to block, so that a lost or repeated block shows. */
function patterned(size: number, first: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, at) => (first + at + (at >> 9)) & 0xff));
}
