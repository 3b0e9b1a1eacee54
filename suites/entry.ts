/** What the worker of a run loads first. */
import { runChecks } from '../harness/runner/run-checks.ts';
import { loadSuites } from './areas.ts';
import { measured } from './measured.ts';

await runChecks({ load: loadSuites, measured });
