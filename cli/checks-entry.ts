import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The file that the worker of a run loads, of the sources or of the build. */
export const checksEntry = fileURLToPath(new URL(`../suites/entry${path.extname(import.meta.url)}`, import.meta.url));
