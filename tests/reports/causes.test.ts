import { describe, expect, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import type { Shown, Wanted } from '../../harness/verdict/shown.ts';
import type { SeenAnswer } from '../../reports/causes/answers.ts';
import type { Cause } from '../../reports/causes/cause.ts';
import { causesIn, causesOf, verdictsOf } from '../../reports/causes/causes.ts';
import { allRules, type RuleId, rulebook } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { recordOfSample } from './sample-record.ts';

const create = 'POST /containers/create';

interface Given {
  readonly verdict?: Result['verdict'];
  readonly api?: ApiVersion;
  readonly reason?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly shown?: Shown;
  readonly level?: Result['level'];
}

function result(id: RuleId, given: Given): Result {
  const rule: Rule = rulebook[id];
  const { shown } = given;
  return {
    ...{ rule: id, api: '1.23', verdict: 'fail', level: rule.level, kind: rule.kind, area: rule.area },
    ...(rule.endpoint && { endpoint: endpointTitle(rule.endpoint) }),
    ...{ reason: '', expected: '', actual: '', assertions: 1, durationMs: 1 },
    evidence: shown ? [shown.exchange] : [],
    ...given,
  };
}

function status(exchange: string, ...values: number[]): Shown {
  return { exchange, from: { part: 'status' }, wanted: { is: 'one-of', values } };
}

const refused: Wanted = { is: 'matching', pattern: '^[45]', anyCase: false };

function field(id: RuleId, actual: string, given: Given = {}): Result {
  return result(id, {
    expected: 'a value',
    actual,
    shown: { exchange: 'x1', from: { part: 'json', at: [[]] } },
    ...given,
  });
}

function causes(results: readonly Result[], answers: Readonly<Record<string, SeenAnswer>> = {}): Cause[] {
  return causesIn(results, new Map(Object.entries(answers)));
}

function rulesOf({ rules }: Cause): string[] {
  return rules.map(({ rule }) => rule);
}

describe('one cause', () => {
  test('is a shared fixture that cannot be had as the daemon does not answer in time, whatever rules wait for it', () => {
    const had = 'the item of a running container in the list could not be had: a step before the assertion failed: ';
    const blocked = (reason: string) => ({ verdict: 'blocked' as const, reason });
    const found = causes(
      [
        result('containers.list.field.Id', blocked(`${had}no answer within 30000 ms`)),
        result('containers.list.field.Names', blocked(`${had}no answer within 2000 ms, cut to 2 s after 3 time-outs`)),
        result('containers.list.limit', { expected: 'status 200', actual: 'nothing', shown: status('x1', 200) }),
        result('system.version.field.Os', blocked('the answer could not be had: no answer within 30000 ms')),
      ],
      { x1: { endpoint: 'GET /containers/json', message: '', failure: 'no answer within 30000 ms' } },
    );
    expect(found.map(({ says, failing, blocked }) => ({ says, failing, blocked }))).toEqual([
      { says: 'GET /containers/json does not answer in time', failing: 1, blocked: 2 },
      { says: 'GET /version does not answer in time', failing: 0, blocked: 1 },
    ]);
  });

  test('is what events do not tell, whether their kind is judged or something that they should have', () => {
    const found = causes([
      result('events.kind.network.create', { expected: 'create', actual: 'nothing', level: 'should' }),
      result('events.attribute-labels-network', { verdict: 'blocked', reason: 'create of the network was not told' }),
    ]);
    expect(found.map(({ says }) => says)).toEqual(['GET /events does not report create for networks']);
  });

  test('is the same refusal of several values of a parameter, of which the rules have the names', () => {
    const ofState = (exchange: string) => ({
      expected: 'status 200',
      actual: 'status 500',
      shown: status(exchange, 200),
    });
    const says = (state: string) => ({
      endpoint: 'GET /containers/json',
      status: 500,
      message: `unknown container state: ${state}: invalid argument`,
    });
    const found = causes(
      [
        result('containers.list.filters.status-dead', ofState('x1')),
        result('containers.list.filters.status-restarting', ofState('x2')),
      ],
      { x1: says('dead'), x2: says('restarting') },
    );
    expect(found).toHaveLength(1);
  });

  test('is an endpoint that is not served, with what could not be judged without it', () => {
    const absent = { expected: 'POST /containers/{id}/update to be served', actual: '404 Not Found' };
    const found = causes(
      [
        result('containers.update.answers-200', { ...absent, api: '1.23' }),
        result('containers.update.others-kept', {
          verdict: 'skip',
          reason: 'POST /containers/{id}/update is not served: 404 Not Found',
        }),
        result('events.kind.container.update', { verdict: 'blocked', shown: status('x1', 200) }),
        result('containers.list.since', { verdict: 'skip', reason: 'it takes too long' }),
      ],
      { x1: { endpoint: 'POST /containers/{id}/update', status: 404, message: 'Not Found' } },
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      sort: 'not-served',
      says: 'does not serve POST /containers/{id}/update: 404 Not Found',
      endpoints: ['POST /containers/{id}/update'],
      failing: 1,
      blocked: 1,
      skipped: 1,
    });
    expect(found[0]?.clients.fails).toContain('docker update');
  });

  test('is the same refusal wherever it comes, by its message without names, and in all versions', () => {
    const message = (name: string) => `bad parameter: ${name} has a link, which is not supported`;
    const found = causes(
      [
        result('containers.create.host-config.links', { shown: status('x1', 201), api: '1.20' }),
        result('containers.create.host-config.links', { shown: status('x2', 201) }),
        result('containers.remove.link-removes-link', { verdict: 'blocked', shown: status('x3', 201) }),
        result('containers.create.config.stop-signal-integer', { shown: status('x4', 201) }),
      ],
      {
        x1: { endpoint: create, status: 400, message: message('ec-mwsmyciweep7-gp') },
        x2: { endpoint: create, status: 400, message: message('ec-mwsmyciweep7-h1') },
        x3: { endpoint: create, status: 400, message: message('ec-mwsmyciweep7-j2') },
        x4: { endpoint: create, status: 400, message: 'StopSignal is no number' },
      },
    );
    expect(found.map(({ says }) => says).toSorted()).toEqual([
      `${create} answers 400: StopSignal is no number`,
      `${create} answers 400: bad parameter: … has a link, which is not supported`,
    ]);
    const links = found.find(({ says }) => says.includes('a link'));
    expect(links).toMatchObject({ failing: 2, blocked: 1, apis: ['1.20', '1.23'] });
    expect(links?.rules).toEqual([
      { rule: 'containers.create.host-config.links', apis: ['1.20', '1.23'], verdict: 'fail' },
      { rule: 'containers.remove.link-removes-link', apis: ['1.23'], verdict: 'blocked' },
    ]);
  });

  test('is what one object of an answer lacks, with the fields inside of it', () => {
    const found = causes([
      field('system.info.field.InitPath', 'no InitPath'),
      field('system.info.field.InitSha1', 'no InitSha1'),
      field('system.info.field.Labels', 'null'),
      field('system.version.field.Experimental', 'no Experimental'),
      field('containers.list.field.HostConfig', 'no HostConfig'),
      field('containers.list.field.HostConfig.NetworkMode', '', {
        verdict: 'blocked',
        reason: 'no list item has HostConfig',
      }),
    ]);
    expect(found.map(({ says }) => says).toSorted()).toEqual([
      'GET /containers/json lacks HostConfig',
      'GET /info gives null for Labels',
      'GET /info lacks InitPath and InitSha1',
      'GET /version lacks Experimental',
    ]);
    const list = found.find(({ says }) => says.includes('HostConfig'));
    expect(list).toMatchObject({ failing: 1, blocked: 1 });
  });

  test('leaves out a list that would have to be cut', () => {
    const many = JSON.stringify(Array.from({ length: 9 }, (_, place) => `the container of place ${place}`));
    const [since] = causes([
      result('containers.list.since', { expected: 'the containers in the list: ["the second one"]', actual: many }),
    ]);
    expect(since?.says).toBe(`GET /containers/json breaks the rule: ${rulebook['containers.list.since'].says}`);
    const [field] = causes([result('containers.list.field.Names', { expected: 'Names: a list', actual: many })]);
    expect(field?.says).toBe('GET /containers/json deviates in Names');
  });

  test('is cut off between two words', () => {
    const reason = `a daemon says ${'that something cannot be done '.repeat(5)}`;
    const [found] = causes([result('containers.attach.logs-stdout', { verdict: 'blocked', reason })]);
    expect(found?.says).toMatch(
      /^POST \/containers\/\{id\}\/attach: a daemon says .* (?:that|something|cannot|be|done)…$/,
    );
  });

  test('is told by its rule where what came is a list or what a process wrote', () => {
    const [since, stdout] = causes([
      result('containers.list.since', {
        expected: 'the containers in the list: ["the second container"]',
        actual: '["the first container","the second container"]',
      }),
      result('containers.attach-ws.stdout', {
        expected: 'what came without stdout: something without "out"',
        actual: '"err\\nout\\n"',
      }),
    ]);
    expect([since?.says, stdout?.says]).toEqual([
      `GET /containers/json breaks the rule: ${rulebook['containers.list.since'].says} (the containers in the list: ["the first container","the second container"])`,
      `GET /containers/{id}/attach/ws breaks the rule: ${rulebook['containers.attach-ws.stdout'].says} (what came without stdout: "err\\nout\\n")`,
    ]);
  });

  test('is told by its rule where another cause would have the same sentence', () => {
    const passes = { expected: 'whether the event came: true', actual: 'false' };
    const alone = causes([result('events.filters.volume', passes)]);
    expect(alone.map(({ says }) => says)).toEqual(['GET /events: whether the event came: false, not true']);
    const two = causes([result('events.filters.volume', passes), result('events.filters.network', passes)]);
    expect(two.map(({ says }) => says)).toEqual([
      `GET /events breaks the rule: ${rulebook['events.filters.volume'].says} (whether the event came: false)`,
      `GET /events breaks the rule: ${rulebook['events.filters.network'].says} (whether the event came: false)`,
    ]);
  });

  test('is one and the same wherever in a stream the bytes are wrong', () => {
    const at = (offset: number, bytes: string) => ({
      verdict: 'blocked' as const,
      reason: `the stream cannot be read: a stream type other than 0, 1 and 2 at offset ${offset}: ${bytes}`,
    });
    const found = causes([
      result('containers.attach.logs-stdout', at(18, '0a 02 00 00 0…')),
      result('containers.attach.logs-stderr', at(9, '0a')),
    ]);
    expect(found.map(({ says }) => says)).toEqual([
      'POST /containers/{id}/attach: the stream cannot be read: a stream type other than 0, 1 and 2 at offset …',
    ]);
  });

  test('is not the same for what create loses and what a commit does, though both are looked for in inspect', () => {
    const inInspect: Given = {
      expected: 'Config.Volumes: what was sent: {"/ec-volume":{}}',
      actual: 'null',
      shown: { exchange: 'x1', from: { part: 'json', at: [['Config', 'Volumes']] } },
    };
    const found = causes(
      [result('containers.create.body.Volumes', inInspect), result('images.commit.body.Volumes', inInspect)],
      { x1: { endpoint: 'GET /containers/{id}/json', status: 200, message: '' } },
    );
    expect(found.map(({ says }) => says)).toEqual([
      `${create} accepts Volumes but does not keep it`,
      'POST /commit accepts Volumes but does not keep it',
    ]);
  });

  test('is a setting that is not kept, whether it is looked for in the container or in inspect', () => {
    const at = (path: string): Shown => ({ exchange: 'x1', from: { part: 'json', at: [path.split('.')] } });
    const found = causes(
      [
        result('containers.create.config.domainname', { expected: 'the output: "example.test"', actual: '"(none)"' }),
        field('containers.create.body.Domainname', '[""]', { shown: at('Config.Domainname') }),
        field('containers.create.body.MacAddress', '[]', { shown: at('Config.MacAddress') }),
        field('containers.inspect.field.Config.MacAddress', 'no Config.MacAddress'),
      ],
      { x1: { endpoint: 'GET /containers/{id}/json', status: 200, message: '' } },
    );
    expect(found.map(({ says }) => says).toSorted()).toEqual([
      `${create} accepts Domainname but does not keep it`,
      `${create} accepts MacAddress but does not keep it`,
    ]);
    expect(found.map(({ failing }) => failing)).toEqual([2, 2]);
  });

  test('is a status in the place of those that are stated, or of a refusal of the same parameter', () => {
    const accepted = (exchange: string): Shown => ({ exchange, from: { part: 'status' }, wanted: refused });
    const found = causes(
      [
        result('containers.create.missing-container-404', { shown: status('x1', 404) }),
        result('containers.create.name-taken-409', { shown: status('x1', 409) }),
        result('containers.create.limits.BlkioWeight-low-refused', { shown: accepted('x2') }),
        result('containers.create.limits.BlkioWeight-high-refused', { shown: accepted('x2') }),
        result('containers.create.limits.MemorySwappiness-low-refused', { shown: accepted('x2') }),
      ],
      {
        x1: { endpoint: create, status: 500, message: 'it failed' },
        x2: { endpoint: create, status: 201, message: '' },
      },
    );
    expect(found.map((cause) => [cause.says, cause.failing])).toEqual([
      [`${create} answers 500 instead of 404 or 409`, 2],
      [`${create} answers 201 where the contract says: refuses a BlkioWeight below 10`, 2],
      [`${create} answers 201 where the contract says: refuses a MemorySwappiness below 0`, 1],
    ]);
  });

  test('is that wrong requests are answered as failures of the daemon, at several endpoints', () => {
    const found = causes(
      [
        result('containers.changes.unknown-answers-404', { shown: status('x1', 404) }),
        result('containers.rename.taken-answers-409', { shown: status('x2', 409) }),
        result('images.create.no-access-404', {
          expected: 'the status: 404',
          actual: '403',
          shown: { exchange: 'x3' },
        }),
        result('images.create.no-credentials-404', {
          expected: 'the status: 404',
          actual: '401',
          shown: { exchange: 'x3' },
        }),
      ],
      {
        x1: { endpoint: 'GET /containers/{id}/changes', status: 500, message: 'it failed' },
        x2: { endpoint: 'POST /containers/{id}/rename', status: 500, message: 'it failed' },
        x3: { endpoint: 'POST /images/create', status: 200, message: '' },
      },
    );
    expect(found.map(({ says }) => says)).toEqual([
      'answers 500 instead of 404 or 409 with GET /containers/{id}/changes and POST /containers/{id}/rename',
      'POST /images/create answers 401 or 403 instead of 404',
    ]);
  });

  test('is what an event, or each kind of event, has not among its attributes', () => {
    const nothing = (matter: string) => ({ expected: `${matter}: "a"`, actual: 'nothing' });
    const found = causes([
      result('events.attribute-container', nothing('container of connect')),
      result('events.attribute-network-name', nothing('name of connect')),
      result('events.attribute-labels-volume', nothing('ec.colour of create')),
      result('events.attribute-labels-network', nothing('ec.colour of create')),
    ]);
    expect(found.map(({ says }) => says)).toEqual([
      'GET /events does not report container and name of connect as the contract says',
      'GET /events does not report the labels of volumes and networks',
    ]);
    const [alone] = causes([result('events.attribute-container', nothing('container of connect'))]);
    expect(alone?.says).toBe('GET /events: container of connect: nothing, not "a"');
  });

  test('is a header that several endpoints do not send', () => {
    const shown: Shown = { exchange: 'x1', from: { part: 'header', name: 'Content-Type' } };
    const none = { expected: 'Content-Type text/plain', actual: 'no header Content-Type', shown };
    const found = causes([
      result('containers.stats.media-type', none),
      result('exec.resize.media-type', none),
      result('containers.export.media-type', { ...none, actual: 'Content-Type: application/x-tar' }),
    ]);
    expect(found.map(({ says }) => says)).toEqual([
      'sends no Content-Type with GET /containers/{id}/stats and POST /exec/{id}/resize',
      'sends Content-Type: application/x-tar with GET /containers/{id}/export',
    ]);
  });
});

test('each failing and blocked verdict has exactly one cause, whatever a daemon sends', async () => {
  const record = await recordOfSample();
  const deviating = record.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked');
  const found = await causesOf(record, allRules);
  const explained = found.flatMap(({ rules }) =>
    rules.flatMap(({ rule, apis }) => apis.map((api) => `${rule} ${api}`)),
  );
  expect(deviating.length).toBeGreaterThan(100);
  expect(explained.toSorted()).toEqual(deviating.map(({ rule, api }) => `${rule} ${api}`).toSorted());
  expect(found.reduce((sum, cause) => sum + verdictsOf(cause), 0)).toBe(deviating.length);
});

test('what clients trip over comes first, then what settles most rules, what the documents are loose about after it', () => {
  const found = causes([
    result('containers.list.since', { verdict: 'blocked', reason: 'the run ended before this check' }),
    field('system.info.field.InitPath', 'no InitPath', { level: 'should' }),
    result('containers.resize.h', { expected: 'h of the terminal: 33', actual: '0' }),
    result('containers.resize.w', { expected: 'w of the terminal: 77', actual: '0' }),
    result('containers.logs.stream.frame-header', { expected: 'frames', actual: 'bytes without frames' }),
    result('containers.logs.stream.tty-raw', { expected: 'bytes as they are', actual: 'frames' }),
  ]);
  expect(found.map(rulesOf)).toEqual([
    ['containers.logs.stream.frame-header'],
    ['containers.logs.stream.tty-raw'],
    ['containers.resize.h', 'containers.resize.w'],
    ['system.info.field.InitPath'],
    ['containers.list.since'],
  ]);
  expect(found.at(-1)?.sort).toBe('not-reached');
});

test('a lost target comes first, as it explains why little was decided', () => {
  const gone = 'the target is gone: connect ECONNREFUSED /run/x.sock';
  const found = causes([
    result('containers.resize.h', { expected: 'h of the terminal: 33', actual: '0' }),
    result('containers.list.since', { verdict: 'blocked', reason: gone }),
  ]);
  expect(found.map(({ says }) => says)).toEqual([gone, expect.stringContaining('containers/{id}/resize')]);
});
