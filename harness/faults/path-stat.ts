import type { WireHead } from '../transport/wire.ts';
import { type Fault, ofAnswers } from './fault.ts';

const header = /^x-.*-container-path-stat$/i;

/** A fault in a JSON body, applied to the JSON of the path stat header. */
export function inPathStat(fault: Fault): Fault {
  const { answer: change, ...others } = ofAnswers(fault);
  return {
    ...others,
    name: `${fault.name} in the path stat`,
    answer: (answer, request) => changed(answer, (json) => change(bodyOf(json), request).body),
  };
}

/** Writes the path stat without base64. */
export function writesPathStatPlain(): Fault {
  return {
    name: 'writes the path stat without base64',
    answer: (answer) => ({ ...answer, headers: headersOf(answer, (value) => fromBase64(value).toString('latin1')) }),
  };
}

/** Writes the path stat in the URL-safe form of base64. */
export function writesPathStatUrlSafe(): Fault {
  const urlSafe = (value: string) => value.replaceAll('+', '-').replaceAll('/', '_');
  return {
    name: 'writes the path stat in base64 for addresses',
    answer: (answer) => ({ ...answer, headers: headersOf(answer, urlSafe) }),
  };
}

/** Leaves the path stat out. */
export function dropsPathStat(): Fault {
  return {
    name: 'sends no path stat',
    answer: (answer) => ({ ...answer, headers: answer.headers.filter(([name]) => !header.test(name)) }),
  };
}

function changed<A extends WireHead>(answer: A, change: (json: Buffer) => Buffer): A {
  return { ...answer, headers: headersOf(answer, (value) => change(fromBase64(value)).toString('base64')) };
}

function headersOf(answer: WireHead, change: (value: string) => string): WireHead['headers'] {
  return answer.headers.map(([name, value]) => [name, header.test(name) ? change(value) : value] as const);
}

function bodyOf(body: Buffer) {
  return { status: 200, headers: [], body };
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
