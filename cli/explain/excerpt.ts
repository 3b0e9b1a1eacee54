import { isLosslessNumber, parse, stringify } from 'lossless-json';

const longest = 200;

/**
 * The field of a JSON text that a rule is about, and the path to it; everything else is `…`.
 * @param path dotted, with `[]` after a list and `{}` after a map
 * @returns undefined when the text is not JSON
 */
export function excerpt(json: string, path: string): string | undefined {
  try {
    return shown(parse(json), path.replaceAll('[]', '.[]').replaceAll('{}', '.{}').split('.'));
  } catch {
    return undefined;
  }
}

function shown(value: unknown, [step, ...rest]: readonly string[]): string {
  if (Array.isArray(value)) return shownList(value, step === '[]' ? rest : [step ?? '', ...rest]);
  if (step === undefined || typeof value !== 'object' || value === null || isLosslessNumber(value)) return leaf(value);
  const members = Object.entries(value);
  const found = members.find(([name]) => step === '{}' || name === step);
  const others = members.length > (found ? 1 : 0) ? ['…'] : [];
  const inner = found ? [`${JSON.stringify(found[0])}: ${shown(found[1], rest)}`] : [];
  return `{${[...inner, ...others].join(', ')}}`;
}

/** The items are alike, so one of them is enough to show the field. */
function shownList([first, ...others]: readonly unknown[], steps: readonly string[]): string {
  if (first === undefined) return '[]';
  return `[${shown(first, steps)}${others.length > 0 ? ', …' : ''}]`;
}

function leaf(value: unknown): string {
  const text = stringify(value) ?? '';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
