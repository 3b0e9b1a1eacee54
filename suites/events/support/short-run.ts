import { fixture } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given, settled } from '../../../harness/engine/given.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { isRuleId } from '../../../specs/catalogue.ts';
import { type Event, isOfContainer, kindOf, mentions } from './event.ts';
import { loadImage } from './event-images.ts';
import { listen, listenWith, type Opening } from './listen.ts';

/** The label and the exit code of the container of the short run. */
export const ownLabel = ['ec.colour', 'blue'] as const;
export const exitCode = 3;

interface ShortRun {
  readonly container: Container;
  /** What its events may call the image: the name it was created from, and what inspect shows. */
  readonly imageNames: readonly unknown[];
  /** The inspect answer of the container before its removal. */
  readonly inspect: Exchange;
  /** The events of the container. */
  readonly events: readonly Event[];
  /** Those of kinds that the documents name; which attributes others have is not shown. */
  readonly ofKnownKinds: readonly Event[];
  /** The same events, together with those of networks that name it. */
  readonly withNetworks: readonly Event[];
  /** The events of the container as a list to be judged. */
  readonly exchange: Exchange;
  /** Every event as a list to be judged. */
  readonly all: Exchange;
  /** What clients with a filter received; whether their streams opened is not judged yet. */
  readonly filtered: {
    /** With the filter event=die. */
    readonly die: Opening;
    /** With the filter image and the name of its image. */
    readonly image: Opening;
  };
}

/** A container is created, attached to, started, ends by itself and is removed. */
export const shortRun = fixture('the events of a short-lived container', async ({ engine }): Promise<ShortRun> => {
  const image = await loadImage(engine);
  const [listener, die, ofImage] = await Promise.all([
    listen(engine),
    listenWith(engine, { event: ['die'] }),
    listenWith(engine, { image: [image.name] }),
  ]);
  const [label, colour] = ownLabel;
  const container = await makeContainer(engine, {
    run: ['exit', String(exitCode)],
    config: { Image: image.name, Labels: { [label]: colour } },
  });
  // Where identifiers are wrong, its image, which nothing else uses, still identifies the events of the container.
  const own = (event: Event) => mentions(event, container.id) || String(event.from).includes(image.name);
  const inspect = await given(container.inspect(), 200);
  const attached = await given(container.attach({ stream: true, stdout: true, stderr: true }), 101);
  await given(container.start(), 204);
  await container.hasEnded();
  attached.drop();
  await given(container.remove(), 204);
  // The last event of the run, where the engine has it.
  await listener.hearsInTime((event) => kindOf(event) === 'destroy' && own(event));
  await settled(listener.needs('of a container', own), 'waiting for an event');
  listener.live.drop();
  const withNetworks = listener.events.filter(own);
  const events = withNetworks.filter(isOfContainer);
  const ofKnownKinds = events.filter((event) => isRuleId(`events.kind.container.${kindOf(event)}`));
  const imageNames = [image.name, ...['Config.Image', 'Image'].flatMap((path) => valuesAt(inspect.json, path))];
  const [exchange, all] = [listener.exchangeOf(events), listener.exchangeOf(withNetworks)];
  return {
    container,
    imageNames,
    inspect,
    events,
    ofKnownKinds,
    withNetworks,
    exchange,
    all,
    filtered: { die, image: ofImage },
  };
});
