import { check } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, setsHeader } from '../../harness/faults/answers.ts';
import { doneOnce } from '../support/done-once.ts';
import { speaksOfOk } from '../support/known-answer.ts';

const pinged = doneOnce('the answer of GET /_ping', ({ engine }) => engine.get('/_ping'));

check('system.ping.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  const answer = await pinged(context);
  expect(answer).toHaveStatus(200);
  await speaksOfOk(answer);
});

check('system.ping.body-OK', { faults: [answersBody('ok')] }, async (context) => {
  expect(await given(pinged(context), 200)).toHaveText('OK');
});

check('system.ping.text-plain', { faults: [setsHeader('Content-Type', 'application/json')] }, async (context) => {
  const answer = await given(pinged(context), 200);
  await speaksOfOk(answer);
  expect(answer).toHaveMediaType('text/plain');
});
