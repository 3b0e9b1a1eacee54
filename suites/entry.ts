/** What the worker of a run loads first. */
import { runChecks } from '../harness/runner/run-checks.ts';
import { loadSuites } from './areas.ts';
import { measured } from './measured.ts';

// Not awaited: node may crash where a thread is ended just when a module with a top-level await begins, as that of a command
// that is used wrongly.
void runChecks({ load: loadSuites, measured });
