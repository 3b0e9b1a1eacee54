import { seconds } from '../../clock.ts';
import type { Engine } from '../../engine.ts';
import { serverError } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import type { Process } from '../../process/process.ts';
import type { Container } from '../container.ts';
import { emit } from '../lifecycle.ts';
import { type PsRow, psColumns, readPsArguments } from './ps.ts';

/** GET /containers/{id}/top (Document 2, List processes): what ps on the host shows of the container's processes. */
export function containerTop(call: Call): void {
  const container = call.engine.containers.get(call.param('id'));
  const columns = readPsArguments(call.query.text('ps_args') ?? '-ef');
  if (!container.process) throw serverError(`container ${container.id} is not running`);
  const rows = processRows(call.engine, container);
  emit(call.engine, container, 'top');
  call.answer(200, {
    Titles: columns.map((name) => psColumns[name].title),
    Processes: rows.map((row) => columns.map((name) => psColumns[name].value(row))),
  });
}

const childPids = new WeakMap<Process, number[]>();

/** The host's identifiers of a process's children, assigned when they are first needed. */
function hostPidsOfChildren(engine: Engine, process: Process): number[] {
  const pids = childPids.get(process) ?? [];
  while (pids.length < process.children.length) pids.push(engine.nextPid());
  childPids.set(process, pids);
  return pids;
}

function processRows(engine: Engine, container: Container): PsRow[] {
  const first = container.process;
  const started = container.state.startedAt ?? 0n;
  return container.processes.flatMap((process) => {
    const exec = container.execs.find((one) => one.process === process);
    const { credentials, argv, terminal } = process.options;
    const row = {
      uid: credentials.uid,
      pid: process === first ? container.state.pid : (exec?.hostPid ?? 0),
      ppid: process === first ? 1 : container.state.pid,
      startedAt: seconds(exec?.startedAt ?? started),
      hasTerminal: terminal !== undefined,
      frozen: container.state.paused,
      processorSeconds: Number(process.processorTime / 1_000_000_000n),
      memory: (process.allocatedMib + 1) * 1024,
      name: process.name,
      command: argv.join(' '),
    };
    const children = hostPidsOfChildren(engine, process);
    return [row, ...children.map((pid) => ({ ...row, pid, ppid: row.pid, processorSeconds: 0, memory: 1024 }))];
  });
}
