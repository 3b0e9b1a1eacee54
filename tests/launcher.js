// Starts commands for the tests of one thread. From a process as large as theirs each start takes 70 ms, as it has to be
// copied; this one is small.
import { spawn } from 'node:child_process';

const running = new Set();

process.on('message', ({ id, command, args, options: { encoding = 'utf8', ...options } }) => {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding(encoding).on('data', (text) => {
      output[name] += text;
    });
  }
  child.once('error', ({ message }) => process.send({ id, error: message }));
  child.once('close', (status) => {
    running.delete(child);
    process.send({ id, ended: { status, ...output } });
  });
});

process.once('disconnect', () => {
  for (const child of running) child.kill('SIGKILL');
  process.exit();
});
