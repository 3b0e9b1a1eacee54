/** What the worker of a run loads: every suite, and then it runs their checks. */
import { runChecks } from '../harness/runner/run-checks.ts';
import './index.ts';
import { measured } from './measured.ts';

await runChecks(measured);
