import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './client.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

async function state(id: string) {
  return (await engine.send('GET', `/v1.23/containers/${id}/json`)).at('State');
}

describe('life of a container', () => {
  it('goes from created to running to exited, with the exit code', async () => {
    const id = await engine.create(['catch', 'wait-signal', 'exit', '7']);
    expect(await state(id)).toMatchObject({ Status: 'created', Running: false, Pid: 0 });
    expect((await engine.send('POST', `/v1.23/containers/${id}/start`)).status).toBe(204);
    expect(await state(id)).toMatchObject({ Status: 'running', Running: true });
    expect((await engine.send('POST', `/v1.23/containers/${id}/start`)).status).toBe(304);
    expect((await engine.send('POST', `/v1.23/containers/${id}/kill?signal=USR1`)).status).toBe(204);
    expect(await engine.wait(id)).toBe(7);
    expect(await state(id)).toMatchObject({ Status: 'exited', Running: false, ExitCode: 7, Pid: 0 });
    expect((await engine.send('POST', `/v1.23/containers/${id}/stop`)).status).toBe(304);
  });

  it('ends with 128 + N by a signal, and by KILL when the stop signal is ignored', async () => {
    const byTerm = await engine.run([]);
    expect((await engine.send('POST', `/v1.23/containers/${byTerm}/stop`)).status).toBe(204);
    expect(await state(byTerm)).toMatchObject({ ExitCode: 143 });
    const byKill = await engine.run(['ignore', '15', 'forever']);
    expect((await engine.send('POST', `/v1.23/containers/${byKill}/stop?t=0`)).status).toBe(204);
    expect(await state(byKill)).toMatchObject({ ExitCode: 137 });
    const caught = await engine.run(['catch', 'out', 'ready', 'wait-signal', 'exit', '3']);
    expect((await engine.send('POST', `/v1.23/containers/${caught}/kill?signal=USR1`)).status).toBe(204);
    expect(await engine.wait(caught)).toBe(3);
  });

  it('uses the stop signal since 1.21', async () => {
    const id = await engine.run([], { StopSignal: 'SIGUSR2' }, '1.21');
    await engine.send('POST', `/v1.21/containers/${id}/stop`);
    expect(await state(id)).toMatchObject({ ExitCode: 140 });
  });

  it('kill without a signal waits for the exit', async () => {
    const id = await engine.run(['catch', 'forever']);
    expect((await engine.send('POST', `/v1.23/containers/${id}/kill`)).status).toBe(204);
    expect(await state(id)).toMatchObject({ Running: false, ExitCode: 137 });
    expect((await engine.send('POST', `/v1.23/containers/${id}/kill`)).status).toBe(500);
    expect((await engine.send('POST', `/v1.23/containers/${id}/kill?signal=NONE`)).status).toBe(400);
  });

  it('pauses and goes on', async () => {
    const id = await engine.run(['sleep', '1500', 'out', 'done']);
    expect((await engine.send('POST', `/v1.23/containers/${id}/pause`)).status).toBe(204);
    expect(await state(id)).toMatchObject({ Paused: true, Status: 'paused' });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await state(id)).toMatchObject({ Paused: true });
    expect((await engine.send('POST', `/v1.23/containers/${id}/unpause`)).status).toBe(204);
    expect(await engine.wait(id)).toBe(0);
  });

  it('restarts by its policy, each time after twice the delay', async () => {
    const policy = { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 2 } };
    const id = await engine.run(['exit', '4'], { HostConfig: policy });
    await expect.poll(() => state(id), { interval: 20, timeout: 2000 }).toMatchObject({ Status: 'exited' });
    const inspected = await engine.send('GET', `/v1.23/containers/${id}/json`);
    expect(inspected.at('RestartCount')).toBe(2);
    const took = Date.parse(String(inspected.at('State', 'FinishedAt'))) - Date.parse(String(inspected.at('Created')));
    expect(took).toBeGreaterThanOrEqual(290);
  });

  it('removes, by force when it runs', async () => {
    const id = await engine.run([]);
    expect((await engine.send('DELETE', `/v1.23/containers/${id}`)).status).toBe(409);
    expect((await engine.send('DELETE', `/v1.23/containers/${id}?force=1`)).status).toBe(204);
    expect((await engine.send('GET', `/v1.23/containers/${id}/json`)).status).toBe(404);
  });

  it('renames to free names only', async () => {
    const id = await engine.create([]);
    const other = await engine.create([]);
    expect((await engine.send('POST', `/v1.23/containers/${id}/rename?name=first-name`)).status).toBe(204);
    expect((await engine.send('POST', `/v1.23/containers/${other}/rename?name=first-name`)).status).toBe(409);
    expect((await engine.send('POST', `/v1.23/containers/${other}/rename?name=a.b`)).status).toBe(400);
    expect((await engine.send('GET', '/v1.23/containers/first-name/json')).json).toMatchObject({ Id: id });
  });

  it('does not start what it cannot run', async () => {
    const id = await engine.create([], { Entrypoint: ['/missing'] });
    const answer = await engine.send('POST', `/v1.23/containers/${id}/start`);
    expect(answer.status).toBe(500);
    expect(answer.at('message')).toContain('/missing');
    expect(await state(id)).toMatchObject({ ExitCode: 127, Running: false });
    const text = await engine.create([], { Entrypoint: ['/other'] });
    expect((await engine.send('POST', `/v1.23/containers/${text}/start`)).status).toBe(500);
  });
});

describe('limits', () => {
  it('kills a container that takes more memory than it may', async () => {
    const id = await engine.run(['alloc', '64', 'forever'], { HostConfig: { Memory: 16_777_216 } });
    expect(await engine.wait(id)).toBe(137);
    expect(await state(id)).toMatchObject({ OOMKilled: true });
  });

  it('keeps to the number of processes', async () => {
    const steps = ['fork-wait', 'try', 'fork-wait', 'procs'];
    expect(await engine.output(steps, { HostConfig: { PidsLimit: 2 } })).toBe('error 11\n1 probe\n2 probe\n');
  });

  it('answers a body that is too large', async () => {
    const body = JSON.stringify({ Image: 'probe', Labels: { a: 'x'.repeat(9_000_000) } });
    expect((await engine.send('POST', '/containers/create', body)).status).toBe(400);
  });
});
