import { expect, test } from 'vitest';
import type { FinishedExchange } from '../../harness/recording/recorder.ts';
import { Finished } from '../../harness/runner/finished.ts';
import { allEndpoints } from '../../specs/catalogue.ts';

function finishedOf(...requests: readonly string[]): Finished {
  const finished = new Finished();
  const sent = requests.map((request, place): FinishedExchange => {
    const [method = '', path = '/images/a/json'] = request.split(' ');
    return {
      id: `x${place + 1}`,
      request: { method, path: `/v1.23${path}`, headers: {} },
      status: 200,
      record: () => {
        throw new Error('nobody wants it');
      },
    };
  });
  for (const exchange of sent.toReversed()) finished.sink(exchange);
  return finished;
}

test('a failure that a look showed cites the request whose effect it looked at', () => {
  expect(finishedOf('POST', 'POST', 'GET', 'GET').withChange(['x3', 'x4'])).toEqual(['x2', 'x3', 'x4']);
});

test('a failure that a request to another endpoint showed cites the last one to its own', () => {
  const build = allEndpoints.find(({ id }) => id === 'images.build');
  const sent = ['POST /build?remote=a', 'GET /info', 'POST /containers/create'] as const;
  expect(finishedOf(...sent).withChange(['x3'], build)).toEqual(['x1', 'x3']);
  expect(finishedOf(...sent).withChange(['x1'], build)).toEqual(['x1']);
});

test('a failure that a look at what came of its own request showed cites that, and the last change', () => {
  const create = allEndpoints.find(({ id }) => id === 'containers.create');
  const sent = ['POST /containers/create', 'POST /containers/a/start', 'GET /containers/a/logs'] as const;
  expect(finishedOf(...sent).withChange(['x3'], create)).toEqual(['x1', 'x2', 'x3']);
});

test.each([
  ['there is none before it', ['GET', 'GET', 'POST'], ['x2']],
  ['it is cited already', ['POST', 'GET'], ['x1', 'x2']],
  ['a change decided', ['POST', 'POST'], ['x2']],
  ['another made the exchange that decided', ['POST', 'GET'], ['x9']],
] as const)('it stays as it is where %s', (_, methods, evidence) => {
  expect(finishedOf(...methods).withChange(evidence)).toEqual(evidence);
});
