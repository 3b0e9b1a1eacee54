import { type FixtureContext, fixture } from '../../../harness/check.ts';
import { type ContainerOptions, makeContainer } from '../../../harness/engine/containers.ts';

function inOrder(what: string, options: ContainerOptions) {
  const make = async ({ engine }: Pick<FixtureContext, 'engine'>) => {
    const made = [];
    for (let count = 0; count < 3; count++) made.push(await makeContainer(engine, options));
    const [first, second, third] = made.map(({ id, name }) => ({ id, name }));
    if (!first || !second || !third) throw new Error('three containers were made');
    return [first, second, third] as const;
  };
  return fixture(`three ${what} containers, made one after another`, make, { allVersions: (made) => made });
}

/** Containers in order of creation, for checks that only list them. */
export const createdInOrder = inOrder('created', {});
export const runningInOrder = inOrder('running', { state: 'running' });
