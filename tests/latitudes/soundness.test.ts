import { describe, expect, test } from 'vitest';
import { describeSoundness } from '../../cli/soundness.ts';
import type { RecordedExchange, Result } from '../../harness/events.ts';
import { latitudes } from '../../harness/latitudes/latitudes.ts';
import { judgedIn } from '../../harness/runner/judged-in.ts';
import { type SoundnessTrial, trySoundness } from '../../harness/runner/soundness.ts';
import { rulebook } from '../../specs/catalogue.ts';

const passing = 'system.ping.answers-200';
const strict = 'system.version.answers-200';

function result(rule: string, verdict: Result['verdict']): Result {
  return {
    ...{ rule, api: '1.23', kind: 'status', area: 'system', verdict, level: 'must' },
    ...{ reason: '', expected: '', actual: '', evidence: [], assertions: 1, durationMs: 1 },
  };
}

function exchange(madeFor: string, id: string, text: string): RecordedExchange {
  const body = { size: text.length, text, truncated: false };
  const request = { method: 'GET', path: `/${id}`, headers: [], body: { size: 0, truncated: false } };
  return { id, madeFor, startedAt: '', durationMs: 1, request, answer: { status: 200, headers: [], body }, curl: '' };
}

/** A suite of two rules, of which one fails under some latitudes together. Keeps what was asked of it. */
function suite(
  fails: (names: readonly string[], trial: number) => boolean,
  broken: Result['verdict'] = 'fail',
  more: Partial<Result> = {},
) {
  const trials: (readonly string[])[] = [];
  const judge: SoundnessTrial = async ({ latitudes: names = [], rules = [passing, strict], handlers }) => {
    trials.push(rules);
    for (const rule of rules) {
      const isBroken = rule === strict && fails(names, trials.length);
      for (const handler of handlers) {
        const judged = isBroken ? { ...result(rule, broken), ...more } : result(rule, 'pass');
        await handler({ type: 'verdict', result: judged });
      }
    }
    const said = `${'first '.repeat(50)}then trial ${trials.length}`;
    const exchanges = async function* () {
      yield exchange(passing, 'other', 'of no interest');
      for (let number = 1; number <= 14; number++) yield exchange(strict, `${number}`, said);
    };
    for (const handler of handlers) {
      await handler({ type: 'run-ended', durationMs: 1, end: 'complete', endReason: '', exchanges });
    }
  };
  return { judge, trials };
}

const chosen = latitudes.filter(({ area }) => area === 'lists');
const names = chosen.map(({ name }) => name);
const [first = '', second = ''] = [names[1], names[8]];

describe('trying latitudes', () => {
  test('finds the latitudes that bring a false alarm, with nothing but its rule', async () => {
    const { judge, trials } = suite((names) => names.includes(first) || names.includes(second));
    const { falseAlarms } = await trySoundness(chosen, judge, () => {});
    expect(falseAlarms).toMatchObject([{ rule: strict, verdict: 'fail', under: [first, second], isLasting: true }]);
    expect(trials.slice(2).flat()).not.toContain(passing);
    const told = falseAlarms.map((one) => ({ ...one, exchanges: [] }));
    expect(describeSoundness({ latitudes: chosen, engines: 1, falseAlarms: told, lateOnce: [] })).toEqual([
      `false alarm: ${strict} [1.23] fail under ${first}, ${second}`,
      `sound under ${chosen.length} latitudes: 1 false alarm`,
    ]);
  });

  test('tells what the check of a false alarm exchanged when it was seen first', async () => {
    const { judge } = suite((names) => names.includes(first));
    const soundness = await trySoundness(chosen, judge, () => {});
    expect(soundness.falseAlarms[0]?.exchanges.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: 14 }, (_, place) => place + 1),
    );
    const lines = describeSoundness(soundness);
    const end = `${'first '.repeat(50)}then trial 2`.slice(-200);
    expect(lines[1]).toBe(`  GET /3: 200 ${end}`);
    expect(lines.slice(1, -1)).toHaveLength(12);
    expect(lines.at(-2)).toBe(`  GET /14: 200 ${end}`);
  });

  test('tells what comes under several together, and what came once', async () => {
    const together = suite((names) => names.includes(first) && names.includes(second));
    const lasting = await trySoundness(chosen, together.judge, () => {});
    expect(lasting.falseAlarms).toMatchObject([{ rule: strict, under: [], isLasting: true }]);

    const once = suite((_names, trial) => trial === 2);
    const { falseAlarms } = await trySoundness(chosen, once.judge, () => {});
    expect(falseAlarms).toMatchObject([{ rule: strict, under: [], isLasting: false }]);
  });

  test('tells what was blocked once apart from false alarms, and what stays blocked as one', async () => {
    const once = await trySoundness(chosen, suite((_names, trial) => trial === 2, 'blocked').judge, () => {});
    expect(once.falseAlarms).toEqual([]);
    expect(describeSoundness(once)).toEqual([
      `blocked once, and not when it was tried again: ${strict} [1.23]: `,
      `sound under ${chosen.length} latitudes: 0 false alarms`,
    ]);

    const lasting = await trySoundness(chosen, suite((names) => names.includes(first), 'blocked').judge, () => {});
    expect(lasting.falseAlarms).toMatchObject([{ rule: strict, verdict: 'blocked', under: [first] }]);
    expect(lasting.lateOnce).toEqual([]);
  });

  test.each([
    ['no answer within 30000 ms', 0],
    ['status 200 and 58 bytes of an unfinished body within 30000 ms', 0],
    ['waited 30000 ms for an event; 0 bytes came', 1],
    ['other side closed (UND_ERR_SOCKET)', 1],
  ])('takes an answer that failed once with "%s" for %i false alarms', async (actual, alarms) => {
    const more = { expected: 'a whole answer', actual, reason: `expected a whole answer, got ${actual}` };
    const once = await trySoundness(chosen, suite((_names, trial) => trial === 2, 'fail', more).judge, () => {});
    expect([once.falseAlarms.length, once.lateOnce.length]).toEqual([alarms, 1 - alarms]);
    const lasting = await trySoundness(chosen, suite((names) => names.includes(first), 'fail', more).judge, () => {});
    expect(lasting.falseAlarms).toMatchObject([{ rule: strict, verdict: 'fail', under: [first] }]);
  });

  test('takes nothing for a false alarm that is so without latitudes', async () => {
    const { falseAlarms } = await trySoundness(chosen, suite(() => true).judge, () => {});
    expect(falseAlarms).toEqual([]);
  });
});

describe('a run that judges each rule once', () => {
  const apis = ['1.20', '1.21', '1.23', '1.24', '1.25'] as const;
  const judged = (id: keyof typeof rulebook) => judgedIn(rulebook[id], { apis, inOneVersion: true });

  test('judges it in the newest documented version in which it holds, else in the first', () => {
    expect(judged('system.ping.answers-200')).toEqual(['1.23']);
    expect(judged('exec.inspect.field.Container.State')).toEqual(['1.21']);
    expect(judged('service.error-json')).toEqual(['1.24']);
  });

  test('leaves no rule out', () => {
    const all = Object.values(rulebook).filter((rule) => judgedIn(rule, { apis }).length > 0);
    expect(all.filter((rule) => judgedIn(rule, { apis, inOneVersion: true }).length !== 1)).toEqual([]);
  });
});
