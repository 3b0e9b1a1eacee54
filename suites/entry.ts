/** The one test file of a run: vitest imports it, and it registers the checks of every suite. */
import { registerChecks } from '../harness/runner/register.ts';
import './index.ts';
import { measured } from './measured.ts';

registerChecks(measured);
