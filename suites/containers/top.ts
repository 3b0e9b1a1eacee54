import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { expectColumns, listAt } from '../../harness/expect/whole-answers.ts';
import { answersStatus, changesJson } from '../../harness/faults/answers.ts';
import { onlyFor } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresQuery, knowsOnlyIdentifiers, takesQueryAs } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { commonContainer, created } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';

function top(engine: Engine, container: string, query?: Query): Promise<Exchange> {
  return engine.get(`/containers/${container}/top`, query);
}

/** A running container with two processes. */
const twoProcesses = { run: ['fork-wait', 'out', 'ready\\n', 'forever'], state: 'running' } as const;
const two = commonContainer('a running container with two processes', twoProcesses, 'ready');

const asked = doneOnce('the answer of top', async ({ engine, use }) => top(engine, (await use(two)).id));

const listed = fixture('the list of the processes of a container', (context) => given(asked(context), 200));

checkFields(fieldRulesOf('containers.top.field.'), listed);

check('containers.top.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await asked(context)).toHaveStatus(200);
});

check('containers.top.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(asked(context), 200);
  expect(await top(engine, engine.unusedName('container'))).toHaveStatus(404);
});

check('containers.top.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await asked(context)).toHaveStatus(200);
  expect(await top(engine, (await use(two)).name)).toHaveStatus(200);
});

const dropsProcess = changesProcesses('leaves a process out', (processes) => processes.slice(1));
const dropsColumn = changesProcesses('leaves a column out', (processes) =>
  processes.map((process) => (Array.isArray(process) ? process.slice(1) : process)),
);

function changesProcesses(name: string, change: (processes: JsonValue[]) => JsonValue[]) {
  return changesJson(name, (json) => {
    if (!isObject(json) || !Array.isArray(json.Processes)) return json;
    return { ...json, Processes: change(json.Processes) };
  });
}

const listsOthers = changesProcesses('lists processes of something else', (processes) =>
  processes.map((process) => (Array.isArray(process) ? process.map(() => 'other') : process)),
);

check('containers.top.every-process', { faults: [dropsProcess, listsOthers] }, async ({ engine, use }) => {
  const shared = await use(listed);
  const isRight = ownOf(shared).length === 2 && listAt(shared, 'Processes').length === 2;
  // An unexpected process may be one that the engine runs in the container to make the list of another client.
  const answer = isRight ? shared : await listedAlone(engine);
  expectValue('the number of processes listed of two', ownOf(answer).length, [answer]).toBeAtLeast(2);
  // An engine may run an init process in the container, which may have the command in its arguments.
  const processes = listAt(answer, 'Processes');
  expectValue('the number of processes listed of a container with two', processes.length, [answer]).toBeAtMost(3);
});

async function listedAlone(engine: Engine): Promise<Exchange> {
  const container = await makeContainer(engine, twoProcesses);
  await container.hasWritten('ready');
  return given(top(engine, container.id), 200);
}

/** The processes in a list with the command of the container. */
function ownOf(answer: Exchange): readonly JsonValue[] {
  const isOwn = (process: JsonValue) => [process].flat().some((cell) => String(cell).includes('fork-wait'));
  return listAt(answer, 'Processes').filter(isOwn);
}

check('containers.top.columns', { faults: [dropsColumn] }, async ({ use }) => expectColumns(await use(listed)));

const forAll = ['UID', 'PID', 'PPID', 'C', 'STIME', 'TTY', 'TIME', 'CMD'];

const knowsOneWord = onlyFor(
  ({ path }) => /-e(?:\+|%20)-f/.test(path),
  answersStatus(500, 200),
  'refuses two arguments',
);

check('containers.top.ps_args', { faults: [ignoresQuery('ps_args'), knowsOneWord] }, async ({ engine, use }) => {
  const byDefault = listAt(await use(listed), 'Titles');
  const answer = await given(top(engine, (await use(two)).id, { ps_args: 'aux' }), 200);
  // A host may have a small ps, which shows the same few columns whatever it is asked for.
  const level = byDefault.includes('PID') && !byDefault.includes('PPID') ? 'should' : 'must';
  // What ps aux shows and ps -ef does not.
  for (const title of ['USER', '%CPU', '%MEM', 'VSZ', 'RSS', 'STAT']) {
    expectValue('Titles with ps_args=aux', listAt(answer, 'Titles'), [answer], { level }).toContain(title);
  }
  // They are arguments, of which there may be several.
  const several = await top(engine, (await use(two)).id, { ps_args: '-e -f' });
  expect(several).toHaveStatus(200);
  expectValue('Titles with ps_args=-e -f', listAt(several, 'Titles'), [several]).toContain('PID');
});

check(
  'containers.top.ps_args-default',
  { faults: [takesQueryAs('ps_args', 'aux'), setsField('Titles', ['PID', 'CMD'])] },
  async ({ use }) => {
    const answer = await use(listed);
    expectValue('Titles without ps_args', listAt(answer, 'Titles'), [answer]).toBe(forAll);
  },
);

check('containers.top.not-running', { faults: [] }, async ({ engine, use }) => {
  const container = await use(created);
  const answer = await top(engine, container.id);
  observe(`answers ${answer.status}`, answer);
});
