import type { WireRequest } from '../transport/wire.ts';
import type { Journal, ResourceKind } from './journal.ts';
import { prefixOf, runLabel } from './marks.ts';
import type { MissingImage } from './missing-image.ts';

/** Names are of one length, so that where a message is cut does not hang on them. */
const digitsOfName = 3;

/** Names and labels of one run, so that what it makes can be told from what was there before. */
export class Sandbox {
  readonly run: string;
  /** Every name the run gives starts with this. */
  readonly prefix: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly #image: string;
  readonly #journal: Journal;
  readonly #imageWanted: () => void;
  readonly #whyNoImage: () => MissingImage | undefined;
  readonly #kinds = new Map<string, ResourceKind>();
  /** The names of things by the identifiers that the daemon gave them. */
  readonly #identified = new Map<string, string>();
  #count = 0;

  /**
   * @param image one that is on the target already; default: a name of the run's own for the probe image
   * @param imageWanted called whenever somebody is about to name the image
   * @param whyNoImage why it cannot be had, once that is known
   */
  constructor(
    journal: Journal,
    image?: string,
    imageWanted = () => {},
    whyNoImage: () => MissingImage | undefined = () => undefined,
  ) {
    this.run = journal.run;
    this.prefix = prefixOf(journal.run);
    this.labels = { [runLabel]: journal.run };
    this.#image = image ?? `${this.prefix}probe:latest`;
    this.#journal = journal;
    this.#imageWanted = imageWanted;
    this.#whyNoImage = whyNoImage;
  }

  /** The name and tag of the image that the run's containers are made from. */
  get image(): string {
    this.#imageWanted();
    return this.#image;
  }

  /** Why the image cannot be had; undefined when it is there, or where a request does not name it. */
  imageMissedBy({ path, body }: WireRequest): MissingImage | undefined {
    const missing = this.#whyNoImage();
    const names = () => path.includes(this.#image) || path.includes(encodeURIComponent(this.#image));
    return missing && (names() || body?.includes(this.#image)) ? missing : undefined;
  }

  /** A new name for a thing about to be made, written to the journal first. */
  name(kind: ResourceKind): string {
    this.#count++;
    const name = `${this.prefix}${this.#count.toString(36).padStart(digitsOfName, '0')}`;
    this.note(kind, name);
    return name;
  }

  /** Writes down a name that is not of `name`'s making before the thing is made. */
  note(kind: ResourceKind, name: string): void {
    this.#journal.write({ kind, name });
    this.#kinds.set(name, kind);
  }

  /** The daemon made a thing, and gave it an identifier. */
  made(name: string, identifier: string): void {
    this.#identified.set(identifier, name);
  }

  /** What a name was given to. */
  kindOf(name: string): ResourceKind | undefined {
    return this.#kinds.get(name);
  }

  /** The name of the thing that has this identifier, or one that begins so. */
  nameOf(identifier: string): string | undefined {
    const whole = this.#identified.get(identifier);
    if (whole !== undefined) return whole;
    for (const [known, name] of this.#identified) if (known.startsWith(identifier)) return name;
    return undefined;
  }
}

/** A fresh id for a run: lower-case letters and digits, fit for names of every resource. */
export function newRunId(): string {
  const random = Math.floor(Math.random() * 36 ** 4).toString(36);
  return Date.now().toString(36) + random.padStart(4, '0');
}
