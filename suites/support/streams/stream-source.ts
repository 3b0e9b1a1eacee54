import type { FixtureContext } from '../../../harness/check.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';

/** What a process writes, and whether it has a terminal. */
export interface Writer {
  /** Steps of the probe that end by themselves. */
  readonly run: readonly string[];
  readonly tty?: boolean;
}

/** Streams that a writer was asked for; their answers are not judged yet. */
export interface OpenStreams {
  readonly lives: readonly LiveExchange[];
  /** Makes the processes run their steps, if they have not yet. */
  readonly begin: () => Promise<unknown>;
}

/** How a stream is requested: with an upgrade of the connection, without one, or with a replay of earlier output. */
export type Way = 'upgraded' | 'plain' | 'replayed';

/** The part of a check's or fixture's context that a source needs. */
export type SourceContext = Pick<FixtureContext, 'engine' | 'use'>;

/** An endpoint that carries the streams of a process (Document 2, Stream framing). */
export interface StreamSource {
  /** The endpoint's part of the rule ids. */
  readonly endpoint: 'containers.attach' | 'containers.logs' | 'exec.start';
  readonly ways: readonly Way[];
  /** What comes on stdout before the process runs its steps, when nothing is replayed. */
  readonly opening: string;
  /** What comes before that where earlier output is replayed. */
  readonly replay?: string;
  /** Whether the stream comes from a log, which is text, and not from the process itself. */
  readonly fromLog: boolean;
  /** Requests any stream, of which only the head of the answer is read. */
  readonly ask: (context: SourceContext, way: Way, tty?: boolean) => Promise<LiveExchange>;
  /** Requests the stream of a writer in several ways. Its terminal, if any, changes no byte of its output. */
  readonly open: (context: SourceContext, writer: Writer, ways: readonly Way[]) => Promise<OpenStreams>;
  /** The same, with one process for all ways. Absent where each way costs little anyway. */
  readonly openTogether?: StreamSource['open'];
}
