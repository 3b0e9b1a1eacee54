import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Scope } from '../../harness/runner/scope.ts';
import { Journal } from '../../harness/sandbox/journal.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { workplace } from '../workplace.ts';
import { engineAt } from './engines.ts';
import { storeDaemon } from './store-daemon.ts';

/** A scope on a daemon that keeps what `refused` tells, and does not answer what `silent` tells. */
async function scopeOn({ refused = /^$/, silent = /^$/ }: { refused?: RegExp; silent?: RegExp } = {}) {
  const odd = (request: string, answer: ServerResponse) => {
    const isRefused = refused.test(request);
    if (isRefused) answer.writeHead(409).end();
    return isRefused || silent.test(request);
  };
  const daemon = await storeDaemon([], { odd });
  const { transport } = daemon.asked;
  const { engine } = engineAt(parseAddress('unix:///nowhere'), { transport, api: '1.23' });
  const scope = new Scope(engine, { finish() {} });
  return {
    daemon,
    engine,
    end: () => scope.end(transport, engine.sandbox.run, 500),
    journal: () => new Journal(workplace, engine.sandbox.run).entries(),
  };
}

describe('what a check made', () => {
  test('is removed when the check ends, and then the journal tells so', async () => {
    const { daemon, engine, end, journal } = await scopeOn();
    const [container, volume] = [engine.name('container'), engine.name('volume')];
    daemon.things.push({ kind: 'container', id: 'c', names: [container] }, { kind: 'volume', id: volume, names: [] });
    expect(journal()).toHaveLength(2);
    await end();
    expect(daemon.things).toEqual([]);
    expect(daemon.changes).toEqual([
      `DELETE /v1.23/volumes/${volume}`,
      `DELETE /v1.23/containers/${container}?force=1&v=1`,
    ]);
    expect(journal().map(({ gone }) => gone)).toEqual([true, true]);
  });

  test('stays in the journal while the daemon does not remove it', async () => {
    const { daemon, engine, end, journal } = await scopeOn({ refused: /^DELETE .*kept/ });
    const [kept, other] = [engine.name('image'), engine.name('image')];
    for (const name of [`${kept}:kept`, `${kept}:gone`, `${other}:gone`]) {
      engine.made({ kind: 'image', name });
      daemon.things.push({ kind: 'image', id: name, names: [name] });
    }
    await end();
    expect(daemon.things.map(({ id }) => id)).toEqual([`${kept}:kept`]);
    expect(journal().filter(({ gone }) => !gone)).toEqual([{ kind: 'image', name: kept }]);
  });

  test('tells whether the daemon answered, if it was asked', async () => {
    const unasked = await scopeOn();
    expect(await unasked.end()).toBeUndefined();
    const answering = await scopeOn({ refused: /^DELETE/ });
    answering.engine.name('container');
    expect(await answering.end()).toBe(true);
    const silent = await scopeOn({ silent: /^DELETE/ });
    silent.engine.name('container');
    expect(await silent.end()).toBe(false);
    expect(silent.journal().map(({ gone }) => gone)).toEqual([undefined]);
  });

  test('is asked for by the whole name of an image alone, and not where nothing gets the name', async () => {
    const { daemon, engine, end } = await scopeOn();
    const [repository, bare] = [engine.name('image'), engine.name('image')];
    engine.made({ kind: 'image', name: `127.0.0.1:5000/${repository}:one` });
    engine.made({ kind: 'image', name: `127.0.0.1:5000/${repository}:two` });
    const unused = engine.unusedName('container');
    const whole = ['one', 'two'].map((tag) => `127.0.0.1:5000/${repository}:${tag}`);
    expect(engine.names).toEqual([repository, bare, ...whole, unused]);
    await end();
    const host = encodeURIComponent('127.0.0.1:5000/');
    expect(daemon.changes).toEqual([
      `DELETE /v1.23/images/${host}${repository}%3Atwo?force=1`,
      `DELETE /v1.23/images/${host}${repository}%3Aone?force=1`,
      `DELETE /v1.23/images/${bare}?force=1`,
    ]);
  });

  test('is asked for by each whole name of an image, also where one is a part of another', async () => {
    const { daemon, engine, end } = await scopeOn();
    const repository = engine.name('image');
    const names = [`${repository}:one`, `127.0.0.1:5000/${repository}:one`];
    for (const name of names) engine.made({ kind: 'image', name });
    await end();
    const [one, other] = names.map((name) => `DELETE /v1.23/images/${encodeURIComponent(name)}?force=1`);
    expect(daemon.changes).toEqual([other, one]);
  });
});
