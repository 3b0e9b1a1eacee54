import { setTimeout as delay } from 'node:timers/promises';
import { TransportError } from '../transport/errors.ts';
import type { Transport } from '../transport/wire.ts';
import type { Company, Latitude } from './latitude.ts';

const pauseMs = 40;
const boundMs = 10_000;

/** What other clients do at the same time. */
export const ofCompany: readonly Latitude[] = [
  othersHave('containers', (name, image) => ({
    make: ['POST', `/containers/create?name=${name}`, { Image: image, Cmd: ['exit', '0'], Labels: { other: 'yes' } }],
    end: ['DELETE', `/containers/${name}?force=1`],
  })),
  othersHave('images', (name, image) => ({
    make: ['POST', `/images/${image}/tag?repo=${name}&tag=other`],
    end: ['DELETE', `/images/${name}:other?noprune=1`],
  })),
  othersHave('volumes', (name) => ({
    make: ['POST', '/volumes/create', { Name: name, Driver: 'local' }],
    end: ['DELETE', `/volumes/${name}`],
  })),
  othersHave('networks', (name) => ({
    make: ['POST', '/networks/create', { Name: name, Driver: 'bridge' }],
    end: ['DELETE', `/networks/${name}`],
  })),
];

/** How one thing of another client is made and removed. */
type Thing = (name: string, image: string) => { readonly make: Ask; readonly end: Ask };

type Ask = readonly [method: string, path: string, json?: unknown];

function othersHave(things: 'containers' | 'images' | 'volumes' | 'networks', thing: Thing): Latitude {
  return {
    name: `others-${things}`,
    says: `has other clients' ${things}, which come and go`,
    area: 'company',
    ground: { notShown: 'other clients may use the engine at the same time' },
    company: (transport, api) => comings(transport, api, thing),
  };
}

/** Makes one thing after another, removing the previous one. */
function comings(transport: Transport, api: string, thing: Thing): Company {
  let ending = false;
  const send = async ([method, path, json]: Ask) => {
    const headers = json === undefined ? {} : { 'content-type': 'application/json' };
    const body = json === undefined ? {} : { body: Buffer.from(JSON.stringify(json)) };
    const request = { method, path: `/v${api}${path}`, headers, ...body };
    // If the daemon is ending or an image is gone, the company ends, but not the run.
    return transport.exchange(request, { wholeMs: boundMs }).catch((error: unknown) => {
      if (error instanceof TransportError) return undefined;
      throw error;
    });
  };
  const image = async () => {
    const list = await send(['GET', '/images/json']);
    const tag = /"([^"\\]*ec-[a-z0-9]+-probe:latest)"/.exec(list?.body.toString('utf8') ?? '')?.[1];
    return tag;
  };
  const goOn = async () => {
    let last: Ask | undefined;
    for (let number = 0; !ending; number++) {
      const probe = await image();
      if (probe !== undefined) {
        const { make, end } = thing(`other-${process.pid}-${number}`, probe);
        await send(make);
        if (last) await send(last);
        last = end;
      }
      await delay(pauseMs);
    }
    if (last) await send(last);
  };
  const gone = goOn();
  return {
    async end() {
      ending = true;
      await gone;
    },
  };
}
