import { describe, test, expect as vitestExpect } from 'vitest';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { TransportError } from '../../harness/transport/errors.ts';
import { judge } from '../../harness/verdict/judge.ts';
import { Blocked, Deviation, NotApplicable } from '../../harness/verdict/outcomes.ts';
import { rulebook } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';

const must: Rule = rulebook['containers.stop.answers-204'];
const observed: Rule = { ...must, level: 'observe' };
const answered = {
  id: 'x1',
  request: { method: 'GET', path: '/', headers: {} },
  status: 204,
  header: () => undefined,
};

describe('the verdict of a check', () => {
  test('is pass with an assertion that held on an exchange', async () => {
    const decision = await judge(must, async () => expect(answered).toHaveStatus(204));
    vitestExpect(decision).toMatchObject({ verdict: 'pass', evidence: ['x1'], assertions: 1 });
  });

  test('is fail with what was expected and what came', async () => {
    const decision = await judge(must, async () => expect(answered).toHaveStatus(304));
    vitestExpect(decision).toMatchObject({
      verdict: 'fail',
      level: 'must',
      expected: 'status 304',
      actual: 'status 204',
      evidence: ['x1'],
    });
  });

  test('rests on the exchange that shows the deviation, also where nothing was asserted of it', async () => {
    const decision = await judge(must, async () => {
      expect(answered).toHaveStatus(204);
      throw new Deviation('frames', 'none', 'must', undefined, { shown: { exchange: 'x2' } });
    });
    vitestExpect(decision).toMatchObject({ verdict: 'fail', evidence: ['x1', 'x2'], shown: { exchange: 'x2' } });
  });

  test('is error without an assertion', async () => {
    const decision = await judge(must, async () => {});
    vitestExpect(decision.verdict).toBe('error');
  });

  test('is error with an assertion on nothing that was recorded', async () => {
    const decision = await judge(must, async () => expectValue('a value', 1, []).toBe(1));
    vitestExpect(decision).toMatchObject({ verdict: 'error', assertions: 1, evidence: [] });
    vitestExpect(decision.reason).toContain('without an assertion on a recorded exchange');
  });

  test('is error when an expectation was begun and not used', async () => {
    const decision = await judge(must, async () => {
      expect(answered).toHaveStatus(204);
      expectValue('a value', 1, [answered]);
    });
    vitestExpect(decision).toMatchObject({ verdict: 'error' });
    vitestExpect(decision.reason).toContain('a value');
  });

  test('is error when the check itself throws', async () => {
    const decision = await judge(must, async () => {
      throw new TypeError('a mistake of the kit');
    });
    vitestExpect(decision).toMatchObject({ verdict: 'error' });
    vitestExpect(decision.reason).toContain('a mistake of the kit');
  });

  test.each([
    ['blocked', new Blocked('create answered 500')],
    ['skip', new NotApplicable('no swap on this host')],
    ['fail', new TransportError('timeout', 'no answer within 10 ms')],
  ])('is %s for a check that ends with %o', async (verdict, thrown) => {
    const decision = await judge(must, async () => {
      throw thrown;
    });
    vitestExpect(decision.verdict).toBe(verdict);
  });

  test('says that the target may be gone, however many fixtures wanted the exchange that failed', async () => {
    const failure = new TransportError('unreachable', 'connect ECONNREFUSED');
    const inner = new Blocked('a step before the assertion failed', { cause: failure });
    const decision = await judge(must, async () => {
      throw new Blocked('a running container could not be had', { cause: inner });
    });
    vitestExpect(decision).toMatchObject({ verdict: 'blocked', broken: true });
  });

  test('weighs no more than the deviation and no more than the rule', async () => {
    const light = async () => {
      throw new Deviation('a list', 'null', 'should');
    };
    const grave = async () => {
      throw new Deviation('a list', '7');
    };
    vitestExpect((await judge(must, light)).level).toBe('should');
    vitestExpect((await judge({ ...must, level: 'should' }, grave)).level).toBe('should');
  });

  test('is observed for a rule that is never judged, with the fact', async () => {
    const decision = await judge(observed, async () => observe('answers 200', answered));
    vitestExpect(decision).toMatchObject({ verdict: 'observed', reason: 'answers 200', evidence: ['x1'] });
  });

  test('is error for an observation without a fact', async () => {
    vitestExpect((await judge(observed, async () => {})).verdict).toBe('error');
  });

  test('keeps checks that run at the same time apart', async () => {
    const other = { ...answered, id: 'x2' };
    const late = judge(must, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(other).toHaveStatus(204);
    });
    const early = judge(must, async () => expect(answered).toHaveStatus(204));
    vitestExpect((await late).evidence).toEqual(['x2']);
    vitestExpect((await early).evidence).toEqual(['x1']);
  });
});
