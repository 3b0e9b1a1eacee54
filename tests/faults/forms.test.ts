import { expect, test } from 'vitest';
import { answersStatus } from '../../harness/faults/answers.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { faultyTransport } from '../../harness/faults/faulty-transport.ts';
import { ignoresFormField, keepsFormField, onForms, readsFormField, refusesForms } from '../../harness/faults/forms.ts';
import { httpServer, transportTo } from '../harness/servers.ts';

/** Sends forms one after another to a server with the fault. @returns the forms that arrived, and the statuses */
async function under(fault: Fault, ...forms: readonly string[]) {
  const arrived: string[] = [];
  const address = await httpServer(async (request, answer) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    arrived.push(body);
    answer.writeHead(200).end('{}');
  });
  const transport = faultyTransport(transportTo(address), fault, 'POST /token?realm=a');
  const statuses: number[] = [];
  for (const form of forms) {
    const request = { method: 'POST', path: '/token?realm=a', headers: {}, body: Buffer.from(form) };
    statuses.push((await transport.exchange(request, { wholeMs: 5_000 })).status);
  }
  return { arrived, statuses };
}

test('a parameter is ignored', async () => {
  expect((await under(ignoresFormField('b'), 'a=1&b=2', 'a=1')).arrived).toEqual(['a=1', 'a=1']);
});

test('a parameter keeps its first value, also when it is left out', async () => {
  const { arrived } = await under(keepsFormField('b'), 'a=1', 'b=1', 'b=2', 'a=1');
  expect(arrived).toEqual(['a=1', 'b=1', 'b=1', 'a=1&b=1']);
});

test('a parameter is read as another', async () => {
  const fault = readsFormField('reads one word', 'a', (value) => value.split(' ')[0] ?? '');
  expect((await under(fault, 'a=x+y', 'b=x+y')).arrived).toEqual(['a=x', 'b=x+y']);
});

test('forms are refused and never seen', async () => {
  const { arrived, statuses } = await under(
    refusesForms('a', (form) => form.has('a')),
    'a=1',
    'b=1',
  );
  expect({ arrived, statuses }).toEqual({ arrived: ['b=1'], statuses: [400, 200] });
});

test('a fault of the answer is only for some forms', async () => {
  const fault = onForms('a', (form) => form.has('a'), answersStatus(500));
  expect((await under(fault, 'a=1', 'b=1')).statuses).toEqual([500, 200]);
  expect(fault.name).toBe('answers 500 to a');
});
