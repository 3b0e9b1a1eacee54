import { check } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { saying } from '../../../harness/engine/output.ts';
import { doesInstead, ignoresQuery } from '../../../harness/faults/requests.ts';
import { logOf } from './logged-container.ts';

/** What a check needs to know of an operation that ends the first process, and takes a signal for it from 1.42 on. */
interface Ending {
  readonly operation: 'stop' | 'restart';
  readonly operate: (container: Container, query: { readonly t: number; readonly signal: string }) => Promise<Exchange>;
  /** Judges what a process wrote that tells the signal and ends. */
  readonly judge: (stdout: string, answer: Exchange, wanted: string) => void;
}

/** The rules on `signal`, of the versions that ignore it and of those that send it. */
export function checkSignal({ operation, operate, judge }: Ending): void {
  for (const [rule, fault, signal] of [
    [`containers.${operation}.signal-ignored`, doesInstead(`/${operation}`, '/kill'), 15],
    [`containers.${operation}.signal`, ignoresQuery('signal'), 10],
  ] as const) {
    check(rule, { faults: [fault] }, async ({ engine }) => {
      const run = ['catch', 'out', 'ready\\n', 'wait-signal', 'exit', '7'];
      const container = await makeContainer(engine, { run, state: 'running' });
      await container.hasWritten('ready');
      await given(operate(container, { t: 30, signal: 'SIGUSR1' }), 204);
      const { answer, stdout } = await logOf(container, { stdout: true }, saying('signal '));
      judge(stdout, answer, `ready\nsignal ${signal}\n`);
    });
  }
}
