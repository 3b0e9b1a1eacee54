import type { WireRequest } from '../transport/wire.ts';
import type { Journal, JournalEntry, ResourceKind } from './journal.ts';
import { prefixOf, runLabel } from './marks.ts';
import type { MissingImage } from './missing-image.ts';

/** Names have the same length, so that it does not affect where a message is cut off. */
const digitsOfName = 3;
/** Daemons write shorter identifiers with 12 digits. A shorter word may begin like an identifier by chance. */
const shortestPart = 11;

/** Names and labels of one run, which distinguish what it makes from what was there before. */
export class Sandbox {
  readonly run: string;
  /** The prefix of every name that the run gives. */
  readonly prefix: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly #image: string;
  readonly #journal: Journal;
  readonly #imageWanted: () => void;
  readonly #whyNoImage: () => MissingImage | undefined;
  readonly #kinds = new Map<string, ResourceKind>();
  /** The names of things by the identifiers that the daemon assigned. */
  readonly #identified = new Map<string, string>();
  /** The identifiers by how they begin: each word of each text is looked up, and a proof has tens of thousands of them. */
  readonly #byBeginning = new Map<string, string[]>();
  #count = 0;

  /**
   * @param image one that is already on the target; default: a name of the run's own for the probe image
   * @param imageWanted called whenever the image is about to be used
   * @param whyNoImage why it is not available, once that is known
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

  /** Why the image is not available; undefined when it is there, or when a request does not name it. */
  imageMissedBy({ path, body }: WireRequest): MissingImage | undefined {
    const missing = this.#whyNoImage();
    const names = () => path.includes(this.#image) || path.includes(encodeURIComponent(this.#image));
    return missing && (names() || body?.includes(this.#image)) ? missing : undefined;
  }

  /** A new name for a thing about to be made, written to the journal first. */
  name(kind: ResourceKind): string {
    const name = this.unusedName(kind);
    this.#journal.write({ kind, name });
    return name;
  }

  /** A new name that nothing gets, as of a thing of this kind. */
  unusedName(kind: ResourceKind): string {
    this.#count++;
    const name = `${this.prefix}${this.#count.toString(36).padStart(digitsOfName, '0')}`;
    this.#kinds.set(name, kind);
    return name;
  }

  /** Records a name that does not come from `name` before the thing is made. */
  note(kind: ResourceKind, name: string): void {
    this.#journal.write({ kind, name });
    this.#kinds.set(name, kind);
  }

  /** Records a thing that the daemon named itself. */
  noteNew(kind: ResourceKind, name: string): void {
    this.#journal.write({ kind, name, isNew: true });
  }

  /** The daemon has nothing of these names any more. */
  gone(entries: readonly JournalEntry[]): void {
    this.#journal.gone(entries);
  }

  /** The daemon made a thing, and gave it an identifier. */
  made(name: string, identifier: string): void {
    if (!this.#identified.has(identifier)) {
      const beginning = identifier.slice(0, shortestPart);
      const alike = this.#byBeginning.get(beginning);
      if (alike) alike.push(identifier);
      else this.#byBeginning.set(beginning, [identifier]);
    }
    this.#identified.set(identifier, name);
  }

  /** The kind of thing that a name was given to. */
  kindOf(name: string): ResourceKind | undefined {
    return this.#kinds.get(name);
  }

  /**
   * The name of the thing with this identifier, or with one of which this is the beginning, and which of the two.
   * @param identifier as a beginning it has at least 11 characters
   */
  identified(identifier: string): { readonly name: string; readonly isWhole: boolean } | undefined {
    const whole = this.#identified.get(identifier);
    if (whole !== undefined) return { name: whole, isWhole: true };
    const alike = identifier.length < shortestPart ? [] : this.#byBeginning.get(identifier.slice(0, shortestPart));
    const found = alike?.find((known) => known.startsWith(identifier));
    const name = found && this.#identified.get(found);
    return name === undefined ? undefined : { name, isWhole: false };
  }
}

/** A fresh id for a run: lower-case letters and digits, valid in names of every resource. */
export function newRunId(): string {
  const random = Math.floor(Math.random() * 36 ** 4).toString(36);
  return Date.now().toString(36) + random.padStart(4, '0');
}
