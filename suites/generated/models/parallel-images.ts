import fc from 'fast-check';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { on } from '../../../harness/faults/fault.ts';
import { swallows } from '../../../harness/faults/requests.ts';
import { isObject } from '../../../harness/streams/json-path.ts';
import type { StatedRuleId } from '../../../specs/stated.ts';
import {
  type CommittedImage,
  idOf,
  inspectImage,
  makeImageFrom,
  plainId,
  wholeId,
} from '../../images/support/committed-images.ts';
import { created } from '../../support/common-containers.ts';
import { checkMeeting, clients, inTurn, type Look, type Met, type Stage } from './support/meeting.ts';
import type { Done } from './support/orders.ts';
import type { Scene } from './support/scene.ts';

/** What two clients do with one name: give it to one of two images, or remove it. */
type TagOperation = 'p' | 'q' | 'untag';

/** Which of the images has the name. */
interface TagOutcome {
  readonly found: string;
  /** The images under this name in the list. */
  readonly listed: readonly string[];
}

const none: TagOutcome = { found: 'none', listed: [] };

checkMeeting<Props, TagOperation, TagOperation, TagOutcome>('generated.models.parallel-images', {
  faults: [on('POST /images/{name}/tag', swallows(201)), on('DELETE /images/{name}', swallows(200, '[]'))],
  runs: 3,
  values: () => inTurn(fc.record({ setup: fc.constantFrom('p', 'untag'), pair: clients(['p', 'q', 'untag']) }), 4),
  prepare,
  begin,
  words: (operation) => (operation === 'untag' ? 'takes the name x away' : `names the image ${operation} x`),
  after: () => after,
  ruleAgainst,
});

interface Props {
  readonly images: Images;
  readonly name: string;
  /** Whether an image had the name before. */
  used: boolean;
}

async function prepare(scene: Scene): Promise<Props> {
  const { engine, trial } = scene;
  const container = await trial.use(created);
  trial.step('makes the images p and q');
  const images = {
    p: await makeImageFrom(engine, container),
    q: await makeImageFrom(engine, container),
  };
  const name = `${scene.name('image', 'x')}:ec`;
  engine.made({ kind: 'image', name });
  return { images, name, used: false };
}

/** The name is taken away first, which is certain after whatever came before. */
async function begin(
  { setup }: Met<TagOperation, TagOperation>,
  scene: Scene,
  props: Props,
): Promise<Stage<TagOperation, TagOutcome>> {
  const { images, name } = props;
  // Some versions take a name from another image with force only.
  if (props.used) {
    scene.trial.step('takes the name x away');
    await send('untag', name, images, scene);
  }
  if (setup !== 'untag') {
    scene.trial.step(`names ${setup} x`);
    await scene.answers('images.tag.answers-201', await send(setup, name, images, scene), 201);
  }
  props.used = true;
  return {
    first: setup === 'untag' ? none : { found: setup, listed: [setup] },
    send: (operation) => send(operation, name, images, scene),
    look: () => look(name, images, scene),
  };
}

type Images = Readonly<Record<'p' | 'q', CommittedImage>>;

function send(operation: TagOperation, name: string, images: Images, { engine }: Scene): Promise<Exchange> {
  if (operation === 'untag') return engine.delete(`/images/${name}`);
  const [repo, tag] = name.split(':');
  return engine.post(`/images/${wholeId(engine, images[operation].id)}/tag`, { query: { repo, tag } });
}

function after(_outcome: TagOutcome, { operation }: Done<TagOperation>): TagOutcome {
  return operation === 'untag' ? none : { found: operation, listed: [operation] };
}

async function look(name: string, images: Images, { engine }: Scene): Promise<Look<TagOutcome>> {
  const inspect = await inspectImage(engine, name);
  const list = await engine.get('/images/json');
  const letters = ['p', 'q'] as const;
  const found = inspect.status === 200 ? letters.find((letter) => images[letter].id === idOf(inspect)) : 'none';
  const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
  const listed = letters.filter((letter) =>
    items.some(({ Id, RepoTags }) => plainId(Id) === images[letter].id && isAmong(RepoTags, name)),
  );
  return { outcome: { found: found ?? 'another image', listed }, evidence: [inspect, list] };
}

/** A daemon may add a registry to an image name that has none. */
function isAmong(tags: unknown, name: string): boolean {
  return Array.isArray(tags) && tags.some((tag) => tag === name || String(tag).endsWith(`/${name}`));
}

function ruleAgainst(outcomes: readonly TagOutcome[], { found }: TagOutcome): StatedRuleId {
  if (outcomes.some((one) => one.found === found)) return 'images.list.field.RepoTags';
  return outcomes.some((one) => one.found !== 'none') ? 'images.tag.tag' : 'images.remove.image-gone';
}
