/**
 * Bugs planted in the reference engine's objects, of the kind that engines have had. The properties find them in the runs
 * that they make by default, in the name of the right rule, and make them small.
 */
import { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { LogStore } from '../../reference/containers/streams/logs-store.ts';
import { OutputHub } from '../../reference/containers/streams/streams.ts';
import { Tree } from '../../reference/process/file-system.ts';
import { resultsOf } from './planted.ts';

/** Making a failure small takes its time on a busy machine. */
const bounds = { timeout: 90_000 };

/** Puts something in the place of a method until the test ends. */
function plant<T extends object, K extends keyof T>(object: T, method: K, instead: (original: T[K]) => T[K]): void {
  const original = object[method];
  object[method] = instead(original);
  onTestFinished(() => {
    object[method] = original;
  });
}

/** What some properties come to; making a failure small may take longer here. */
function found(...properties: readonly string[]): Promise<ReadonlyMap<string, Result>> {
  return resultsOf(properties, '1.21', { maxMs: 60_000 });
}

function expectFound(result: Result | undefined, ...rules: readonly string[]): void {
  expect(result?.verdict).toBe('fail');
  const rule = result?.generated?.rule;
  expect(rules).toContain(rule);
  const steps = result?.generated?.steps ?? [];
  process.stdout.write(
    `${rule}: ${steps.length} steps, ${result?.generated?.runs} runs, ${result?.generated?.shrinks} times smaller\n`,
  );
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.length).toBeLessThanOrEqual(5);
}

const [attach, exec, chunks, archives] = [
  'generated.streams.attach',
  'generated.streams.exec',
  'generated.streams.request-chunks',
  'generated.streams.archives',
] as const;

const outputRules = ['exec.start.stream.payload-whole', 'exec.start.stream.tty-raw'];

test(
  'a write ends at its first NUL, whole blocks of an archive are padded, and chunks of JSON are read as texts of their own',
  bounds,
  async () => {
    plant(
      OutputHub.prototype,
      'write',
      (write) =>
        function (this: OutputHub, stream, data) {
          const end = data.indexOf(0);
          return write.call(this, stream, end < 0 ? data : data.subarray(0, end));
        },
    );
    plant(
      Tree.prototype,
      'set',
      (set) =>
        function (this: Tree, parts, node) {
          const isBlock = node.kind === 'file' && node.data.length > 0 && node.data.length % 512 === 0;
          set.call(this, parts, isBlock ? { ...node, data: Buffer.concat([node.data, Buffer.alloc(512)]) } : node);
        },
    );
    const listens = IncomingMessage.prototype.on;
    IncomingMessage.prototype.on = function (
      this: IncomingMessage,
      event: string,
      listener: (...given: never[]) => void,
    ) {
      if (event !== 'data' || this.headers['content-type'] !== 'application/json') {
        return Reflect.apply(listens, this, [event, listener]);
      }
      const broken = (chunk: Buffer) => Reflect.apply(listener, this, [Buffer.from(chunk.toString('utf8'))]);
      return Reflect.apply(listens, this, [event, broken]);
    };
    onTestFinished(() => {
      IncomingMessage.prototype.on = listens;
    });
    const results = await found(exec, archives, chunks);
    expectFound(results.get(exec), ...outputRules);
    expectFound(results.get(archives), 'containers.archive-put.unpacks');
    expectFound(results.get(chunks), 'containers.create.body.Labels');
  },
);

test('small writes overtake large ones, and long names are cut', bounds, async () => {
  plant(
    OutputHub.prototype,
    'write',
    (write) =>
      function (this: OutputHub, stream, data) {
        if (data.length <= 1_024) return write.call(this, stream, data);
        setTimeout(() => write.call(this, stream, data), 5);
        return undefined;
      },
  );
  plant(
    Tree.prototype,
    'set',
    (set) =>
      function (this: Tree, parts, node) {
        set.call(
          this,
          parts.map((part) => part.slice(0, 100)),
          node,
        );
      },
  );
  const results = await found(exec, archives);
  expectFound(results.get(exec), ...outputRules);
  expectFound(results.get(archives), 'containers.archive-put.unpacks', 'containers.archive-put.answers-200');
});

test('a log loses the last line when it has no end', bounds, async () => {
  plant(
    LogStore.prototype,
    'select',
    (select) =>
      function (this: LogStore, options) {
        const entries = select.call(this, options);
        return entries.at(-1)?.data.at(-1) === 0x0a ? entries : entries.slice(0, -1);
      },
  );
  expectFound((await found(attach)).get(attach), 'containers.logs.stream.payload-whole', 'containers.logs.stderr-true');
});

test('a log drops what comes in large pieces', bounds, async () => {
  plant(
    LogStore.prototype,
    'append',
    (append) =>
      function (this: LogStore, stream, data) {
        return append.call(this, stream, data.subarray(0, 4_096));
      },
  );
  expectFound((await found(attach)).get(attach), 'containers.logs.stream.payload-whole');
});
