import { type RunRecord, whenEnded } from '../../reports/run-record.ts';
import { sampleRules } from './sample-rules.ts';
import { play, type SampleOptions, sampleRun } from './sample-run.ts';

/** The sample run as the reports see it when it has ended. */
export async function recordOfSample(options: SampleOptions = {}): Promise<RunRecord> {
  let gathered: RunRecord | undefined;
  const gather = whenEnded(async (record) => {
    gathered = record;
  }, options.rules ?? sampleRules);
  await play(sampleRun(options), gather);
  if (!gathered) throw new Error('the sample run did not end');
  return gathered;
}
