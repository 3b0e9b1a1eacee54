import { EngineError, serverError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { wireImageId } from '../images/shapes.ts';
import { readBuildParameters } from './parameters.ts';
import { Build, RunError } from './runner.ts';
import { type BuildSource, readSource } from './source.ts';

const largestContext = 1024 * 1024 * 1024;

/** POST /build (Document 3, Build an image): its output and its failure are objects of one stream. */
export async function buildImage(call: Call): Promise<void> {
  const { engine, res } = call;
  const parameters = readBuildParameters(call);
  const source = await readOrRefuse(() => readSource(parameters, () => call.bytes(largestContext), engine.words));
  res.writeHead(200, { 'Content-Type': 'application/json' });
  const send = (object: object): void => {
    if (!res.destroyed) res.write(`${JSON.stringify(object)}\r\n`);
  };
  const say = (text: string): void => {
    if (!parameters.quiet) send({ stream: text });
  };
  const build = new Build(engine, parameters, source.context, say);
  call.onGone(() => build.cancel());
  try {
    const image = await build.run(source.instructions);
    for (const name of parameters.names) {
      engine.images.tag(image.id, name);
      engine.events.emit('image', 'tag', image.id, { ...image.config.labels, name });
    }
    if (parameters.quiet) send({ stream: `${wireImageId(image.id, call.api)}\n` });
    if (!parameters.quiet && call.since('1.30')) send({ aux: { ID: wireImageId(image.id, call.api) } });
    say(`Successfully built ${image.id.slice(0, 12)}\n`);
    for (const name of parameters.names) say(`Successfully tagged ${name}\n`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({ errorDetail: { ...(error instanceof RunError && { code: error.code }), message }, error: message });
  }
  res.end();
}

/** An error before the first instruction is answered with 500. */
async function readOrRefuse(read: () => Promise<BuildSource>): Promise<BuildSource> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw serverError(error instanceof Error ? error.message : String(error));
  }
}
