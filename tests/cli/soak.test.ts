import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const soak = fileURLToPath(new URL('../../scripts/soak.js', import.meta.url));

// By hand it sends 50,000; a leak of one socket, one timer or one kilobyte a request shows in these, too.
test('serve keeps nothing of 6,000 good, bad and hostile requests', async () => {
  const child = spawn(process.execPath, [soak, '6000'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toHaveLength(2);
  expect(status).toBe(0);
}, 240_000);
