/** Runs before each test file. */
import { beginFile } from './workplace.ts';

beginFile();
