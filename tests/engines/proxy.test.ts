import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayOfDocker, dockerCommand } from './clients/docker-command.ts';
import { dayOfDockerode } from './clients/dockerode.ts';
import { type Command, startCommand } from './command.ts';
import type { Daemon } from './daemon.ts';
import { dockerd } from './dockerd.ts';
import { readReport } from './report.ts';

const reason = dockerd.unavailable() ?? (existsSync(dockerCommand) ? undefined : `not installed: ${dockerCommand}`);

describe('the proxy before dockerd', () => {
  if (reason !== undefined) {
    test('passes the traffic of real clients on', ({ skip }) => skip(`dockerd cannot be had: ${reason}`));
    return;
  }

  let daemon: Daemon;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'ec-proxied-'));
    daemon = await dockerd.start();
  });

  afterAll(async () => {
    await daemon?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  for (const [name, day] of [
    ['the docker command', (socket: string) => dayOfDocker(`unix://${socket}`, path.join(directory, 'docker'))],
    ['dockerode', dayOfDockerode],
  ] as const) {
    test(`${name} finds no difference, and nothing but known deviations shows`, async () => {
      const direct = await day(daemon.socket.replace('unix://', ''));
      const listen = path.join(directory, 'proxy.sock');
      const proxy = await startedProxy(daemon, listen, directory);
      const through = await day(listen);
      proxy.process.kill('SIGINT');
      const { status, output } = await proxy.ended;
      console.log(output);
      const differences = through.flatMap((told, step) =>
        told === direct[step] ? [] : [`without the proxy: ${direct[step]}\nthrough it: ${told}`],
      );
      expect(differences, differences.join('\n')).toEqual([]);
      expect(through).toHaveLength(direct.length);
      expect(output).not.toContain('no longer judged');
      expect(output).not.toMatch(/ daemon(?! \(known\))/);
      expect(status, output).toBe(0);
      const { results } = await readReport(directory);
      expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(100);
      expect(existsSync(listen)).toBe(false);
    });
  }
});

/** The command, once it listens. */
async function startedProxy({ socket }: Daemon, listen: string, directory: string): Promise<Command> {
  const command = startCommand(
    [
      'proxy',
      '--upstream',
      socket,
      '--listen',
      `unix://${listen}`,
      '--baseline',
      dockerd.baseline,
      '--report',
      directory,
    ],
    directory,
  );
  await new Promise<void>((resolve, reject) => {
    command.process.stdout?.on('data', (text: string) => text.includes('passing traffic from') && resolve());
    void command.ended.then(({ output }) => reject(new Error(`the proxy ended: ${output}`)));
  });
  return command;
}
