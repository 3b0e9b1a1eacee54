import { expect, test } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

const rule = 'networks.remove.predefined-answers-403';

function hasNoBridgeToRemove(): void {
  around('DELETE /networks/{id}', async (call, answer) => {
    if (call.params.id === 'bridge') call.answer(404, { message: 'network bridge not found' });
    else await answer();
  });
}

test('a daemon that was started without its default network is not told that it does not refuse to remove it', async () => {
  hasNoBridgeToRemove();
  around('GET /networks', async (call, answer) => {
    const send = call.answer.bind(call);
    call.answer = (status, body) => {
      const others = Array.isArray(body) ? body.filter((item) => Object(item).Name !== 'bridge') : body;
      send(status, others);
    };
    await answer();
  });
  expect((await resultsOf([rule], '1.23')).get(rule)).toMatchObject({
    verdict: 'pass',
    reason: 'the network bridge was not judged: the daemon lists none',
  });
});

test('one that lists it is', async () => {
  hasNoBridgeToRemove();
  expect((await resultsOf([rule], '1.23')).get(rule)).toMatchObject({ verdict: 'fail', actual: '[403,403,404]' });
});
