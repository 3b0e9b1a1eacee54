import { describe, expect, test } from 'vitest';
import { holdersOf, valuesAt } from '../../harness/streams/json-path.ts';

const answer = {
  State: { Running: true },
  Ports: [{ Type: 'tcp' }, { Type: 'udp' }, 'no object', { Other: 1 }],
  Networks: { a: { Gateway: '1' }, b: { Gateway: '2' } },
  Rows: [[{ x: 1 }], [{ x: 2 }, { x: 3 }]],
  Map: { k: [{ y: 1 }] },
  'od.d': 1,
  Nothing: null,
};

describe('the values at a path', () => {
  test.each([
    ['State', [{ Running: true }]],
    ['State.Running', [true]],
    ['Ports[].Type', ['tcp', 'udp']],
    ['Networks{}.Gateway', ['1', '2']],
    ['Rows[][].x', [1, 2, 3]],
    ['Map{}[].y', [1]],
    ['Nothing', [null]],
    ['Nothing.Inner', []],
    ['Missing.Inner', []],
    ['State[].Running', []],
    ['Ports{}.Type', []],
    ['State.Running.Deeper', []],
  ])('%s', (path, values) => {
    expect(valuesAt(answer, path)).toEqual(values);
  });

  test('of an answer that is no object are none', () => {
    for (const root of [null, 7, 'text', [answer]]) expect(valuesAt(root, 'State')).toEqual([]);
  });

  test('are not those that every object inherits', () => {
    expect(valuesAt({}, 'constructor')).toEqual([]);
    expect(valuesAt({}, 'toString.name')).toEqual([]);
  });
});

test('an object holds a field that it does not have', () => {
  expect(holdersOf(answer, 'Ports[].Type')).toHaveLength(3);
  expect(holdersOf(answer, 'State.Paused')).toEqual([{ object: { Running: true }, name: 'Paused' }]);
});
