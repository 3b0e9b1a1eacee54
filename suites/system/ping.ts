import { check } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, setsHeader } from '../../harness/faults/answers.ts';
import { speaksOfOk } from '../support/known-answer.ts';

check('system.ping.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  const answer = await engine.get('/_ping');
  expect(answer).toHaveStatus(200);
  await speaksOfOk(answer);
});

check('system.ping.body-OK', { faults: [answersBody('ok')] }, async ({ engine }) => {
  expect(await given(engine.get('/_ping'), 200)).toHaveText('OK');
});

check('system.ping.text-plain', { faults: [setsHeader('Content-Type', 'application/json')] }, async ({ engine }) => {
  const answer = await given(engine.get('/_ping'), 200);
  await speaksOfOk(answer);
  expect(answer).toHaveMediaType('text/plain');
});
