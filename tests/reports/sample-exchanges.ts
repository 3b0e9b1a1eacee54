import type { RecordedBytes, RecordedExchange, Result } from '../../harness/events.ts';
import { hostileTexts } from './hostile-texts.ts';

/** An exchange of one of four sorts: an error in JSON, a huge body, a hijacked stream, and no answer at all. */
export function sampleExchange(id: string, result: Result, place: number): RecordedExchange {
  const path = `/v${result.api}/containers/ec-4f1c-${place}/stop?t=1`;
  const hostile = hostileTexts[place % hostileTexts.length] ?? '';
  const common = {
    id,
    madeFor: result.rule,
    startedAt: '2026-03-14T09:27:00.000Z',
    durationMs: 12.5,
    request: {
      method: 'POST',
      path,
      headers: [
        ['Host', 'localhost'],
        ['Content-Type', 'application/json'],
      ],
      body: text('{"Cmd":["probe","exit","0"],"Labels":{"engine-conformance.run":"4f1c"}}'),
    },
    curl: `curl -i -X POST --unix-socket /run/engine.sock -H 'Content-Type: application/json' --data-binary '{"Cmd":["probe","exit","0"]}' 'http://localhost${path}'`,
  } as const;
  const headers = [
    ['Content-Type', 'application/json'],
    ['Server', `Engine/20.10.24 ${hostile}`],
  ] as const;
  switch (place % 4) {
    case 0:
      return { ...common, answer: { status: 500, headers, body: text(`{"message":${JSON.stringify(hostile)}}\n`) } };
    case 1:
      return { ...common, answer: { status: 200, headers, body: hugeBody(hostile) } };
    case 2:
      return { ...common, answer: { status: 101, headers, body: text('') }, stream: hijacked(hostile) };
    default:
      return { ...common, failure: `the connection was closed before the head of the answer: ${hostile}` };
  }
}

export function text(written: string): RecordedBytes {
  return { size: Buffer.byteLength(written), text: written, truncated: false };
}

/** 64 KiB kept of a gigabyte. */
function hugeBody(hostile: string): RecordedBytes {
  return { size: 2 ** 30, text: hostile + 'é'.repeat(32 * 1024 - 200), truncated: true };
}

/** A multiplexed stream that breaks off inside a frame. */
function hijacked(hostile: string): NonNullable<RecordedExchange['stream']> {
  const frame = (kind: number, payload: string) => {
    const head = Buffer.alloc(8);
    head.writeUInt8(kind);
    head.writeUInt32BE(Buffer.byteLength(payload), 4);
    return Buffer.concat([head, Buffer.from(payload)]);
  };
  const received = Buffer.concat([
    frame(1, 'hello from stdout\n'),
    frame(2, hostile),
    Buffer.from([0xff, 0, 0, 0, 0, 1]),
  ]);
  return [
    { direction: 'sent', atMs: 1, ...text('echo me\n') },
    {
      direction: 'received',
      atMs: 4.25,
      size: received.length,
      base64: received.toString('base64'),
      truncated: false,
    },
  ];
}
