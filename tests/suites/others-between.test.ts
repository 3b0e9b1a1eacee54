import { expect, test } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

/** A container of another client, as the list of all containers has it. */
function ofOthers(number: number): object {
  const id = number.toString(16).padStart(64, '0');
  return {
    ...{ Id: id, Names: [`/other-${number}`], Image: 'other', ImageID: id, Command: 'sleep', Created: 1, Ports: [] },
    ...{ Labels: {}, State: 'exited', Status: 'Exited (0) 1 second ago', HostConfig: { NetworkMode: 'default' } },
    ...{ NetworkSettings: { Networks: {} }, Mounts: [] },
  };
}

test('the counters of info are not judged where another client changes something each time, and the verdict says so', {
  timeout: 60_000,
}, async () => {
  const lasting = [1, 2, 3, 4, 5, 6].map(ofOthers);
  let newest = 10;
  around('GET /containers/json', (call, answer) => {
    const whole = call.answer.bind(call);
    call.answer = (status, value) => {
      const all = Array.isArray(value) && call.query.flag('all') && !call.query.text('filters');
      whole(status, all ? [...value, ...lasting, ofOthers(newest)] : value);
    };
    return answer();
  });
  around('GET /info', (call, answer) => {
    // Between the list before and the list after, the next one comes, is counted here, and the former one goes.
    newest++;
    const containers = call.engine.containers.all().length + lasting.length + 2;
    const whole = call.answer.bind(call);
    call.answer = (status, value) => whole(status, { ...Object(value), Containers: containers });
    return answer();
  });
  const results = await resultsOf(['generated.models.together'], '1.23', { seed: 1 });
  const result = results.get('generated.models.together');
  expect(result).toMatchObject({
    verdict: 'pass',
    reason: expect.stringContaining('the counters of /info were not judged: other clients changed containers'),
  });
});
