import { onTestFinished } from 'vitest';
import { Engine } from '../../harness/engine/engine.ts';
import type { RecordedExchange } from '../../harness/events.ts';
import { Recorder } from '../../harness/recording/recorder.ts';
import { Redactor } from '../../harness/recording/redact.ts';
import { Journal } from '../../harness/sandbox/journal.ts';
import { newRunId, Sandbox } from '../../harness/sandbox/sandbox.ts';
import type { Address } from '../../harness/target/address.ts';
import { type Dialect, engineDialect } from '../../harness/target/dialect.ts';
import type { Target } from '../../harness/target/target.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import type { Transport } from '../../harness/transport/wire.ts';
import { type Decision, judge } from '../../harness/verdict/judge.ts';
import { rulebook } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, documentedVersions, oldestVersion } from '../../specs/versions.ts';
import { workplace } from '../workplace.ts';

export const someRule: Rule = rulebook['containers.stop.answers-204'];

/** A target as it is found at an address that serves all versions. */
function targetAt(address: Address, dialect = engineDialect): Target {
  const identity = {
    ...{ address: address.text, dialect: dialect.name, product: '', version: '', apiVersion: '' },
    ...{ os: '', arch: '', kernel: '', serves: documentedVersions, lacks: {} },
  };
  return { address, dialect, identity, serves: documentedVersions, architecture: 'amd64', lacks: {}, absent: {} };
}

export interface EngineUnderTest {
  readonly engine: Engine;
  readonly transport: Transport;
  readonly records: RecordedExchange[];
  /** The verdict of a check on `someRule`. */
  verdict(check: (engine: Engine) => Promise<void>): Promise<Decision>;
}

/** A daemon as a check sees it, with what is recorded of it. */
export function engineAt(
  address: Address,
  {
    boundMs = 5_000,
    dialect = engineDialect,
    transport = undiciTransport(address),
    api = oldestVersion,
    sharesHostNetwork = false,
    logsTo,
  }: {
    boundMs?: number;
    dialect?: Dialect;
    transport?: Transport;
    api?: ApiVersion;
    sharesHostNetwork?: boolean;
    logsTo?: Target['logsTo'];
  } = {},
): EngineUnderTest {
  const journal = new Journal(workplace, newRunId());
  journal.begin({ address: address.text, directory: workplace });
  const records: RecordedExchange[] = [];
  const recorder = new Recorder('a test', {
    address,
    redactor: new Redactor(),
    nextId: () => `x${records.length + 1}`,
    sink: ({ record }) => records.push(record()),
  });
  const target = { ...targetAt(address, dialect), sharesHostNetwork, ...(logsTo && { logsTo }) };
  const sandbox = new Sandbox(journal);
  const engine = new Engine({ api, target, sandbox, transport, recorder, boundMs });
  onTestFinished(async () => {
    engine.close();
    await transport.close();
  });
  return { engine, transport, records, verdict: (check) => judge(someRule, () => check(engine)) };
}
