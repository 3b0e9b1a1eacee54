import { check } from '../harness/check.ts';
import { makeContainer } from '../harness/engine/containers.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { control, given } from '../harness/engine/given.ts';
import { expect } from '../harness/expect/expect.ts';
import { answersBody, answersStatus, setsHeader } from '../harness/faults/answers.ts';
import { type Fault, on, onRequests } from '../harness/faults/fault.ts';

/** The form of errors since 1.24. */
function expectError(answer: Exchange): void {
  expect(answer).toHaveMediaType('application/json');
  expect(answer)
    .field('message')
    .toSatisfy('a text', (message) => typeof message === 'string' && message !== '');
}

const inspect = 'GET /containers/{id}/json';
const network = 'GET /networks/{id}';

/** Errors as older daemons write them. */
const plainErrors: Fault = {
  name: 'answers errors as text/plain',
  answer: (answer) =>
    answer.status < 400
      ? answer
      : { ...answer, headers: [['Content-Type', 'text/plain']], body: Buffer.from('no such thing\n') },
};

check(
  'service.error-json',
  {
    faults: [
      on(inspect, plainErrors),
      on(network, setsHeader('Content-Type', 'text/plain; charset=utf-8')),
      on(inspect, answersBody('{"error":"no such container"}')),
    ],
  },
  async ({ engine }) => {
    const unknown = engine.unusedName('container');
    const { id } = await makeContainer(engine);
    for (const [known, path] of [
      [`/containers/${id}/json`, `/containers/${unknown}/json`],
      [`/images/${engine.sandbox.image}/json`, `/images/${unknown}/json`],
      ['/networks/host', `/networks/${unknown}`],
    ] as const) {
      await control(engine.get(known), 200);
      expectError(await given(engine.get(path), 404));
    }
  },
);

const unknownPath = '/ec-no-such-path';

check(
  'service.unknown-path-404',
  {
    faults: [onRequests(`GET ${unknownPath}`, answersStatus(400, 404)), onRequests(`GET ${unknownPath}`, plainErrors)],
  },
  async ({ engine }) => {
    await control(engine.get('/_ping'), 200);
    const answer = await engine.get(unknownPath);
    expect(answer).toHaveStatus(404);
    expectError(answer);
  },
);
