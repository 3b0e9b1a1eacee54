import type { StoredReport } from '../stored/stored-report.ts';
import { targetName } from '../target-name.ts';

/** Short names that distinguish reports: engine and version, then the day, the minute, and finally a number. */
export function namesOf(reports: readonly StoredReport[]): string[] {
  const tries: readonly ((report: StoredReport) => string)[] = [
    ({ target }) => targetName(target),
    ({ target, startedAt }) => `${targetName(target)}, ${startedAt.slice(0, 10)}`,
    ({ target, startedAt }) => `${targetName(target)}, ${startedAt.slice(0, 16).replace('T', ' ')}`,
  ];
  return reports.map((report, place) => {
    const telling = tries.find((nameOf) => reports.filter((one) => nameOf(one) === nameOf(report)).length === 1);
    return telling?.(report) ?? `${targetName(report.target)} (${place + 1})`;
  });
}

/** A name for a directory, made of letters, digits, dots and dashes; `taken` are those of the other reports. */
export function directoryName(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  const base = plain.slice(0, 80) || 'report';
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
