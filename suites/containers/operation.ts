import { check, fixture } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { type ContainerState, makeContainer } from '../../harness/engine/containers.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { knowsOnlyIdentifiers, knowsOnlyNames } from '../../harness/faults/requests.ts';

type Operation = 'start' | 'stop' | 'restart' | 'kill' | 'pause' | 'unpause' | 'rename' | 'remove';

/**
 * The checks that every operation on a container has alike: it succeeds with 204 and no body, finds the container by
 * identifier and by name, and answers 404 for one that is not there.
 * @param from the state in which the operation succeeds
 */
export function checkOperation(
  name: Operation,
  from: ContainerState,
  operate: (container: Container) => Promise<Exchange>,
): void {
  /** By its identifier; whether it succeeds is not judged yet. */
  const answered = fixture(`the answer of ${name}`, async ({ engine }) =>
    operate(await makeContainer(engine, { state: from })),
  );

  check(`containers.${name}.answers-204`, { faults: [answersStatus(200, 204)] }, async ({ use }) => {
    expect(await use(answered)).toHaveStatus(204);
  });

  check(`containers.${name}.empty-body`, { faults: [answersBody('done')] }, async ({ use }) => {
    expect(await given(use(answered), 204)).toBeEmptyBody();
  });

  check(`containers.${name}.unknown-answers-404`, { faults: [answersStatus(204, 404)] }, async ({ engine, use }) => {
    await control(use(answered), 204);
    const missing = engine.name('container');
    expect(await operate(new Container(engine, missing, missing))).toHaveStatus(404);
  });

  const oneForm = [knowsOnlyIdentifiers(), knowsOnlyNames()];
  check(`containers.${name}.id-or-name`, { faults: oneForm }, async ({ engine, use }) => {
    expect(await use(answered)).toHaveStatus(204);
    const { name: form } = await makeContainer(engine, { state: from });
    expect(await operate(new Container(engine, form, form))).toHaveStatus(204);
  });
}
