import { FrameDecoder, FrameViolation, type StreamName } from '../../harness/streams/frames.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';
import { holdsIn } from '../../specs/versions.ts';
import { type Finding, finding, ruleNamed, type Subject } from './subject.ts';

export const frameRules = ['frame-header', 'frame-zeros', 'frame-size', 'frame-stdout', 'frame-stderr'] as const;

type FrameRule = (typeof frameRules)[number];

const ruleOf: Readonly<Partial<Record<StreamName, FrameRule>>> = { stdout: 'frame-stdout', stderr: 'frame-stderr' };

/** Bytes of the first header. */
const headerLength = 8;

/**
 * Judges a stream of a container or command. Whether it has frames depends on a terminal, which the exchange does not
 * show; a stream that begins with a complete frame has them, and is judged accordingly.
 */
export class FrameStreamJudge {
  readonly #subject: Subject;
  readonly #report: (finding: Finding) => void;
  readonly #decoder = new FrameDecoder();
  readonly #told = new Set<FrameRule>();
  #frames = 0;
  #isReadable = true;

  constructor(subject: Subject, report: (finding: Finding) => void) {
    this.#subject = subject;
    this.#report = report;
  }

  push(bytes: Buffer): void {
    if (!this.#isReadable) return;
    try {
      for (const { stream, last, size } of this.#decoder.push(bytes)) {
        if (!last || size === 0) continue;
        this.#frames++;
        for (const name of ['frame-header', 'frame-zeros', ruleOf[stream]] as const) if (name) this.#kept(name);
        // The size of the first frame was right, as it led to the next header.
        if (this.#frames === 2) this.#kept('frame-size');
      }
    } catch (error) {
      this.#deviates(error, /byte [1-3]/.test(String(error)) ? 'frame-zeros' : 'frame-header');
    }
  }

  /** The daemon has sent the complete stream. */
  end(): void {
    if (!this.#isReadable || this.#frames === 0) return;
    try {
      this.#decoder.end();
      this.#kept('frame-size');
    } catch (error) {
      this.#deviates(error, 'frame-size');
    }
  }

  #kept(name: FrameRule): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    this.#tell(name);
  }

  #deviates(error: unknown, name: FrameRule): void {
    if (!(error instanceof FrameViolation)) throw error;
    this.#isReadable = false;
    // If the first header is malformed, this may be the output of a terminal.
    if (error.offset >= headerLength)
      this.#tell(name, new Deviation('frames of an 8-byte header and a payload', error.message));
  }

  #tell(name: FrameRule, deviation?: Deviation): void {
    const rule = ruleNamed(`${this.#subject.endpoint.id}.stream.${name}`);
    if (rule && holdsIn(rule, this.#subject.api)) this.#report(finding(rule, deviation));
  }
}
