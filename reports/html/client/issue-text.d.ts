import type { RecordedExchange, Result, RunStarted, TargetIdentity } from '../../../harness/events.ts';

/** What is told in an issue. */
export interface Issue {
  /** What is wrong, in a sentence. */
  readonly says: string;
  readonly target: TargetIdentity;
  readonly tool: RunStarted['tool'];
  readonly seed: number;
  readonly apis: readonly string[];
  /** The rules that a cause explains; absent for the failure of one. */
  readonly rules?: readonly {
    readonly rule: string;
    readonly apis: readonly string[];
    readonly verdict: string;
    readonly says: string;
  }[];
  readonly example?: Pick<Result, 'rule' | 'api' | 'level' | 'expected' | 'actual' | 'reason'> & {
    readonly says: string;
    readonly source?: string;
    readonly exchange?: Pick<RecordedExchange, 'curl' | 'answer' | 'failure'>;
    readonly script?: string;
  };
}

/** An issue in Markdown, in which nothing that a daemon sent is markup. */
export function issueText(issue: Issue): string;
