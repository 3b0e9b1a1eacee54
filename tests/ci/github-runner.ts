import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { plainEnvironment } from '../package/npm.ts';
import { type Contexts, holds, interpolated } from './expressions.ts';
import { type Action, compositeAction, type Job, type Step } from './github-files.ts';

/** A machine that runs jobs one at a time, as a runner of GitHub Actions would. */
export interface Machine {
  /** Where the steps of the job run. */
  readonly workspace: string;
  /** Has a directory for each artifact of the workflow. */
  readonly artifacts: string;
  /** Directories of composite actions, by what stands before the @. */
  readonly actions: Readonly<Record<string, string>>;
}

export interface JobEnd {
  readonly failed: boolean;
  /** By the id of the step. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly log: string;
  /** What the steps wrote into their summaries. */
  readonly summary: string;
}

/** Runs the steps of a job. @param contexts what its expressions can name beside `steps`: `matrix`, for one */
export function runJob(machine: Machine, { steps, env = {} }: Job, contexts: Contexts = {}): Promise<JobEnd> {
  return runSteps(machine, steps, contexts, env);
}

interface StepEnd {
  readonly failed: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly log: string;
  readonly summary: string;
}

async function runSteps(
  machine: Machine,
  steps: readonly Step[],
  contexts: Contexts,
  env: Readonly<Record<string, string>>,
): Promise<JobEnd> {
  const outputs: Record<string, StepEnd['outputs']> = {};
  const end = { failed: false, log: '', summary: '' };
  for (const step of steps) {
    const ended = Object.entries(outputs).map(([id, own]) => [id, { outputs: own }]);
    const known = { ...contexts, steps: Object.fromEntries(ended) };
    if (!holds(step.if, known, end.failed)) continue;
    const stepEnd = await runStep(machine, step, known, env);
    end.failed ||= stepEnd.failed;
    end.log += stepEnd.log;
    end.summary += stepEnd.summary;
    if (step.id !== undefined) outputs[step.id] = stepEnd.outputs;
  }
  return { ...end, outputs };
}

function runStep(
  machine: Machine,
  { run, uses, with: given = {}, env: own = {} }: Step,
  contexts: Contexts,
  env: Readonly<Record<string, string>>,
): Promise<StepEnd> {
  if (run !== undefined) {
    return script(machine, interpolated(run, contexts), { ...env, ...valuesOf(own, contexts) });
  }
  return action(machine, uses?.replace(/@.*/, '') ?? '', valuesOf(given, contexts), env);
}

function valuesOf(texts: NonNullable<Step['with']>, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, interpolated(String(text), contexts)]));
}

/** Runs a script as GitHub runs those with `shell: bash`. */
async function script({ workspace }: Machine, text: string, env: Readonly<Record<string, string>>): Promise<StepEnd> {
  const directory = await mkdtemp(path.join(path.dirname(workspace), 'step-'));
  const files = ['script', 'output', 'summary'].map((name) => path.join(directory, name));
  const [file = '', output = '', summary = ''] = files;
  await Promise.all([writeFile(file, text), writeFile(output, ''), writeFile(summary, '')]);
  const ofRunner = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary };
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
    cwd: workspace,
    env: { ...plainEnvironment(), ...ofRunner, ...env },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      log += piece;
    });
  }
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const lines = (await readFile(output, 'utf8')).split('\n').filter(Boolean);
  return {
    failed: status !== 0,
    outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2))),
    log,
    summary: await readFile(summary, 'utf8'),
  };
}

const done: StepEnd = { failed: false, outputs: {}, log: '', summary: '' };

async function action(
  machine: Machine,
  name: string,
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<StepEnd> {
  switch (name) {
    case 'actions/checkout':
      return done;
    case 'actions/setup-node':
      if (!given['node-version']) throw new Error('setup-node without a version takes what is there');
      return done;
    case 'actions/upload-artifact':
      return upload(machine, given);
    case 'actions/download-artifact':
      return download(machine, given);
    default: {
      const directory = machine.actions[name];
      if (directory === undefined) throw new Error(`no action ${name} on this machine`);
      return composite(machine, directory, given, env);
    }
  }
}

/** The action itself keeps what is not there from being an error where it says `if-no-files-found: ignore`. */
async function upload({ workspace, artifacts }: Machine, given: Readonly<Record<string, string>>): Promise<StepEnd> {
  const { name = '', path: from = '', 'if-no-files-found': otherwise = 'warn' } = given;
  if (name === '' || /[/\\:*?"<>|\r\n]/.test(name)) throw new Error(`an artifact cannot have the name '${name}'`);
  if ((await readdir(artifacts)).includes(name)) throw new Error(`there is an artifact ${name} already`);
  const files = await readdir(path.join(workspace, from)).catch(() => []);
  if (files.length === 0) return { ...done, failed: otherwise === 'error' };
  await cp(path.join(workspace, from), path.join(artifacts, name), { recursive: true });
  return done;
}

/** Each artifact that matches the pattern becomes a directory of its name. */
async function download({ workspace, artifacts }: Machine, given: Readonly<Record<string, string>>): Promise<StepEnd> {
  const { pattern = '*', path: to = '' } = given;
  const wanted = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  for (const name of (await readdir(artifacts)).filter((one) => wanted.test(one))) {
    await mkdir(path.join(workspace, to), { recursive: true });
    await cp(path.join(artifacts, name), path.join(workspace, to, name), { recursive: true });
  }
  return done;
}

async function composite(
  machine: Machine,
  directory: string,
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<StepEnd> {
  const made: Action = compositeAction(await readFile(path.join(directory, 'action.yml'), 'utf8'));
  const unknown = Object.keys(given).filter((name) => !(name in made.inputs));
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`);
  const defaults = Object.entries(made.inputs).map(([name, input]) => [name, input.default]);
  const contexts = { inputs: { ...Object.fromEntries(defaults), ...given }, github: { action_path: directory } };
  const { outputs, ...end } = await runSteps(machine, made.runs.steps, contexts, env);
  const steps = Object.fromEntries(Object.entries(outputs).map(([id, own]) => [id, { outputs: own }]));
  const values = Object.entries(made.outputs).map(([name, { value }]) => [name, interpolated(value, { steps })]);
  return { ...end, outputs: Object.fromEntries(values) };
}
