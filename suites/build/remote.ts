import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { refuses } from '../../harness/faults/bodies.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { ignoresQuery, takesQueryAs } from '../../harness/faults/requests.ts';
import { type Offered, withSuiteServer, withTlsListener } from '../../harness/suite-server/server.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import {
  build,
  builds,
  contextWith,
  expectFailure,
  expectLabel,
  file,
  fileOf,
  inspectImage,
  type Own,
  own,
} from './support/building.ts';
import { gitRepository } from './support/git-repository.ts';

/** Builds from a file that the check serves. */
function buildFrom(engine: Engine, offered: Offered, made: Own, query: Query = {}) {
  return withSuiteServer(engine.target.address, (server) =>
    build(engine, undefined, { t: made.name, remote: server.offer(offered), ...query }),
  );
}

function textOf(engine: Engine, made: Own): Offered {
  return { name: 'ec-file', contentType: 'text/plain', content: fileOf(engine, made, 'LABEL ec.from=text') };
}

/** An archive with a build file under its default name, and a second one. */
async function archiveOf(engine: Engine, made: Own): Promise<Offered> {
  const other = file('ec-dir/ec-other', fileOf(engine, made, 'LABEL ec.from=other'));
  const content = await contextWith(engine, fileOf(engine, made, 'LABEL ec.from=archive'), other);
  return { name: 'ec-context.tar', contentType: 'application/x-tar', content };
}

check('images.build.parameter.remote-text', { faults: [ignoresQuery('remote')] }, async ({ engine }) => {
  const made = own(engine);
  const built = await buildFrom(engine, textOf(engine, made), made);
  await expectLabel(engine, made.name, built, ['ec.from', 'text']);
});

const heedsDockerfile: Fault = refuses('a dockerfile that is nowhere', ({ path }) => path.includes('dockerfile='));

check('images.build.parameter.dockerfile-ignored', { faults: [heedsDockerfile] }, async ({ engine }) => {
  const made = own(engine);
  const built = await buildFrom(engine, textOf(engine, made), made, { dockerfile: 'ec-nowhere' });
  await expectLabel(engine, made.name, built, ['ec.from', 'text']);
});

check('images.build.parameter.remote-tar', { faults: [ignoresQuery('remote')] }, async ({ engine }) => {
  const made = own(engine);
  const built = await buildFrom(engine, await archiveOf(engine, made), made);
  await expectLabel(engine, made.name, built, ['ec.from', 'archive']);
});

check('images.build.parameter.remote-tar-dockerfile', { faults: [ignoresQuery('dockerfile')] }, async ({ engine }) => {
  const made = own(engine);
  const built = await buildFrom(engine, await archiveOf(engine, made), made, { dockerfile: 'ec-dir/ec-other' });
  await expectLabel(engine, made.name, built, ['ec.from', 'other']);
});

check(
  'images.build.parameter.remote-tar-dockerfile-missing',
  { faults: [takesQueryAs('dockerfile', 'ec-dir/ec-other')] },
  async ({ engine }) => {
    const made = own(engine);
    const there = buildFrom(engine, await archiveOf(engine, made), made, { dockerfile: 'ec-dir/ec-other' });
    await builds(engine, made, there);
    const other = own(engine);
    expectFailure(await buildFrom(engine, await archiveOf(engine, other), other, { dockerfile: 'ec-nowhere' }));
  },
);

const tlsHandshake = 0x16;
const asksByHttp: Fault = {
  name: 'asks for every address by HTTP',
  request: (request) => ({ ...request, path: request.path.replace('remote=https%3A', 'remote=http%3A') }),
};

check('images.build.parameter.remote-git', { faults: [ignoresQuery('remote')] }, async ({ engine }) => {
  const made = own(engine);
  const files = { [engine.target.dialect.words.Enginefile]: fileOf(engine, made, 'LABEL ec.from=git') };
  const { built, stopped } = await withSuiteServer(engine.target.address, async (server) => {
    const repository = gitRepository(files);
    const remote = server.offerDirectory('ec-context.git', repository);
    const answer = await build(engine, undefined, { t: made.name, remote });
    const wasAsked = (name: string) => server.wasAsked(`${remote}/${name}`);
    const objects = repository.map(({ name }) => name).filter((name) => name.startsWith('objects/'));
    const isStopped = wasAsked('info/refs?service=git-upload-pack') && !objects.some(wasAsked);
    return { built: answer, stopped: isStopped };
  });
  // A shallow clone needs the smart protocol, and some clients know no other.
  if (stopped && (await inspectImage(engine, made.name)).status === 404) {
    throw new NotApplicable("the daemon uses Git's smart protocol alone, and the suite serves the other one");
  }
  await expectLabel(engine, made.name, built, ['ec.from', 'git']);
});

check('images.build.parameter.remote-https', { faults: [asksByHttp] }, async ({ engine }) => {
  const made = own(engine);
  // No daemon trusts its certificate, so the download fails; but that a handshake begins is visible.
  await withTlsListener(engine.target.address, async ({ address, firstByte }) => {
    const answer = await build(engine, undefined, { t: made.name, remote: `${address}/ec-file` });
    expectValue('the first byte that came to the address', firstByte(), [answer]).toBe(tlsHandshake);
  });
});
