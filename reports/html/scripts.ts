import { isWritten, scriptsOf } from '../repro/files.ts';
import { library } from '../repro/script.ts';
import type { RunRecord } from '../run-record.ts';

export type PageScripts = Awaited<ReturnType<typeof pageScripts>>;

/** The scripts of a page: common parts are included once, and each script refers to them by name. */
export async function pageScripts(record: RunRecord) {
  const failed = record.results.filter(isWritten);
  const { make, common } = await scriptsOf(record);
  const own: Record<string, { script: string } | { reason: string }> = {};
  for (const result of failed) {
    const repro = make(result);
    own[`${result.rule} ${result.api}`] =
      'script' in repro
        ? {
            script: repro.script
              .replace(library, () => '@LIBRARY@')
              .replace(common.probe || '@PROBE@', () => '@PROBE@'),
          }
        : repro;
  }
  return { library: failed.length > 0 ? library : '', probe: common.probe, own };
}
