#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitStatus, statusOfError } from './exit-status.ts';
import { optimizeLater } from './optimize-later.ts';
import { buildProgram } from './program.ts';

/** Whatever the event loop still holds after a command, such as an idle socket, must not keep the process alive. */
const lingerMs = 2_000;

// With `| head` the reader disappears; the run must still clean up and write its reports.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

optimizeLater();
process.exitCode = await main();
setTimeout(() => process.exit(), lingerMs).unref();

async function main(): Promise<number> {
  let status: number = exitStatus.kept;
  try {
    await buildProgram((ended) => {
      status = ended;
    }).parseAsync();
    return status;
  } catch (error) {
    // Commander has already printed its message, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.kept : exitStatus.usage;
    return statusOfError(error, (line) => process.stderr.write(`${line}\n`));
  }
}
