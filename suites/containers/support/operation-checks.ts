import { check, type Fixture, fixture } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { type ContainerState, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given, settled } from '../../../harness/engine/given.ts';
import { expect } from '../../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../../harness/faults/answers.ts';
import { knowsOnlyIdentifiers, knowsOnlyNames } from '../../../harness/faults/requests.ts';
import { afterOthers, ifThere, tellOtherwise } from '../../support/shared-results.ts';

type OperationName = 'start' | 'stop' | 'restart' | 'kill' | 'pause' | 'unpause' | 'rename' | 'remove';

/** What an operation answered, and the container it was tried on. */
interface Operated {
  readonly answer: Exchange;
  readonly container: Container;
  /** The answer on the container of another operation, where it was no success. */
  readonly otherwise?: Exchange | undefined;
}

/**
 * An operation on one container by its identifier and on another by its name; whether it succeeds is not yet judged.
 */
export interface OperatedBy {
  readonly id: Fixture<Operated>;
  readonly name: Fixture<Operated>;
}

/**
 * The checks that all operations on a container share: the operation succeeds with 204 and no body, finds the container
 * by identifier and by name, and answers 404 when there is none.
 * @param from the state in which the operation succeeds
 * @param after an operation that leaves a container in this state, which saves making one
 * @returns what another operation can follow
 */
export function checkOperation(
  name: OperationName,
  from: ContainerState,
  operate: (container: Container) => Promise<Exchange>,
  after?: OperatedBy,
): OperatedBy {
  const operatedOn = async (engine: Engine, { id, name }: Container, form: keyof OperatedBy): Promise<Operated> => {
    const container = new Container(engine, form === 'id' ? id : name, name);
    return { answer: await operate(container), container };
  };
  const operatedAlone = async (engine: Engine, form: keyof OperatedBy): Promise<Operated> =>
    operatedOn(engine, await makeContainer(engine, { state: from, network: 'any' }), form);
  const operatedBy = (form: keyof OperatedBy) =>
    fixture(`the answer of ${name} by ${form}`, async ({ engine, use }): Promise<Operated> => {
      const before = after && (await ifThere(use(after[form])));
      const following =
        before?.answer.status === 204
          ? await ifThere(settled(operatedOn(engine, before.container, form), `${name} after another operation`))
          : undefined;
      // What the previous operation left can only show that this one succeeds.
      if (following?.answer.status === 204) return following;
      return { ...(await operatedAlone(engine, form)), otherwise: following?.answer };
    });
  const expectSuccess = ({ answer, otherwise }: Operated) => {
    if (otherwise) tellOtherwise(afterOthers, otherwise);
    expect(answer).toHaveStatus(204);
  };
  const operated: OperatedBy = { id: operatedBy('id'), name: operatedBy('name') };

  check(`containers.${name}.answers-204`, { faults: [answersStatus(200, 204)] }, async ({ use }) => {
    expectSuccess(await use(operated.id));
  });

  check(`containers.${name}.empty-body`, { faults: [answersBody('done')] }, async ({ use }) => {
    const { answer } = await use(operated.id);
    expect(await given(Promise.resolve(answer), 204)).toBeEmptyBody();
  });

  check(`containers.${name}.unknown-answers-404`, { faults: [answersStatus(204, 404)] }, async ({ engine, use }) => {
    const { answer } = await use(operated.id);
    await control(Promise.resolve(answer), 204);
    const missing = engine.unusedName('container');
    expect(await operate(new Container(engine, missing, missing))).toHaveStatus(404);
  });

  const oneForm = [knowsOnlyIdentifiers(), knowsOnlyNames()];
  check(`containers.${name}.id-or-name`, { faults: oneForm }, async ({ engine, use }) => {
    expectSuccess(await use(operated.id));
    expectSuccess((await ifThere(use(operated.name))) ?? (await operatedAlone(engine, 'name')));
  });

  return operated;
}
