import type { Container } from '../containers/container.ts';
import { destroy } from '../containers/lifecycle.ts';
import { variableName } from '../containers/settings/config.ts';
import type { Engine } from '../engine.ts';
import type { JsonObject } from '../http/fields.ts';
import { applyInstructions } from '../images/changes.ts';
import type { Image } from '../images/image.ts';
import { makeImage } from '../images/make.ts';
import { type DirectoryNode, newDirectory } from '../process/file-system.ts';
import { placeOf } from '../registry-client/place.ts';
import { pullNamed } from '../registry-client/pull.ts';
import { cacheKey } from './cache.ts';
import { copyInto, readSources } from './copy.ts';
import { expandArguments } from './expand.ts';
import type { BuildParameters } from './parameters.ts';
import { BuildFileError, configuring, type Instruction, parseBuildFile, wordsOf } from './parse.ts';
import { newRunContainer, runToEnd } from './run-step.ts';

/** A RUN that ended with another code than 0. */
export class RunError extends Error {
  readonly code: number;

  constructor(command: string, code: number) {
    super(`The command '${command}' returned a non-zero code: ${code}`);
    this.code = code;
  }
}

/** A build was cancelled because its client has gone. */
class Cancelled extends Error {}

/** What the image will be after the current instruction. */
interface Step {
  readonly config: JsonObject;
  readonly root?: DirectoryNode;
  readonly author?: string;
  readonly container?: Container;
}

/** One build: runs the instructions in order, each on the image made by the one before. */
export class Build {
  readonly #engine: Engine;
  readonly #parameters: BuildParameters;
  readonly #context: DirectoryNode;
  readonly #say: (text: string) => void;
  readonly #declared = new Map<string, string | undefined>();
  readonly #containers: Container[] = [];
  #image: Image | undefined;
  /** What FROM names; undefined for scratch. */
  #base: Image | undefined;
  #hasCommand = false;
  #cacheHolds: boolean;
  #cancelled = false;
  readonly #gone = new AbortController();

  constructor(engine: Engine, parameters: BuildParameters, context: DirectoryNode, say: (text: string) => void) {
    this.#engine = engine;
    this.#parameters = parameters;
    this.#context = context;
    this.#say = say;
    this.#cacheHolds = parameters.useCache;
  }

  /**
   * Runs a build file to its end.
   * @throws RunError, BuildFileError or another Error for an instruction that fails
   */
  async run(instructions: readonly Instruction[]): Promise<Image> {
    const labels = [...this.#parameters.labels].map(
      ([key, value]) => `${JSON.stringify(key)}=${JSON.stringify(value)}`,
    );
    const all =
      labels.length > 0 ? [...instructions, { word: 'LABEL', rest: labels.join(' '), line: 0 }] : instructions;
    try {
      for (const [index, instruction] of all.entries()) {
        if (this.#cancelled) throw new Cancelled('the client has gone');
        this.#say(`Step ${index + 1}/${all.length} : ${instruction.word} ${instruction.rest}\n`);
        await this.#instruct(instruction, instruction.line === 0);
        if (this.#image) this.#say(` ---> ${this.#image.id.slice(0, 12)}\n`);
      }
    } catch (error) {
      if (this.#parameters.alwaysRemove || this.#cancelled) this.#removeContainers();
      throw error;
    }
    if (this.#cancelled) throw new Cancelled('the client has gone');
    if (!this.#image) throw new BuildFileError('the build made no image');
    return this.#image;
  }

  /** Cancels the build: ends what it is running. */
  cancel(): void {
    this.#cancelled = true;
    this.#gone.abort();
    for (const { process } of this.#containers) process?.signal(9);
  }

  async #instruct(instruction: Instruction, isLiteral = false): Promise<void> {
    const { word } = instruction;
    const rest = isLiteral ? instruction.rest : expandArguments(word, instruction.rest, this.#variables());
    if (word === 'FROM') await this.#from(rest);
    else if (word === 'ARG') this.#declare(rest);
    else if (word === 'RUN') await this.#run(rest);
    else if (word === 'ADD' || word === 'COPY') await this.#copy(word, rest);
    else if (word === 'MAINTAINER') await this.#apply([word, rest], { config: this.#config, author: rest });
    else if (configuring.has(word)) await this.#apply([word, rest], { config: this.#configured(word, rest) });
  }

  get #config(): JsonObject {
    const { OnBuild: triggers, ...config } = this.#image?.config.raw ?? {};
    // The triggers of the base image apply only to its own children.
    return this.#image === this.#base || triggers === undefined ? config : { ...config, OnBuild: triggers };
  }

  async #from(name: string): Promise<void> {
    if (name === 'scratch') return;
    const known = this.#engine.images.find(name);
    const isPulled = placeOf(name) !== undefined && (!known || this.#parameters.pull);
    const image = isPulled ? await this.#pull(name) : known;
    if (!image) throw new Error(`there is no image ${name} to build from`);
    this.#image = image;
    this.#base = image;
    const triggers = image.config.onBuild;
    if (triggers.length === 0) return;
    for (const instruction of parseBuildFile(['FROM scratch', ...triggers].join('\n')).slice(1)) {
      this.#say(`Trigger: ${instruction.word} ${instruction.rest}\n`);
      await this.#instruct(instruction);
    }
  }

  async #pull(name: string): Promise<Image> {
    const { credentials } = this.#parameters;
    const progress = { status: (text: string) => this.#say(`${text}\n`), bytes: () => {} };
    return pullNamed(this.#engine, name, { credentials, signal: this.#gone.signal, progress });
  }

  #declare(rest: string): void {
    const [name = '', ...value] = rest.split('=');
    const otherwise = value.length > 0 ? value.join('=').replace(/^(["'])(.*)\1$/s, '$2') : undefined;
    this.#declared.set(name, this.#parameters.arguments.get(name) ?? otherwise);
  }

  /** Build-time variables with a value, as `name=value`. */
  get #arguments(): string[] {
    return [...this.#declared].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  }

  #variables(): Map<string, string> {
    const { env } = this.#image?.config ?? { env: [] };
    // The environment of the image takes precedence over build-time variables.
    const lines = [...this.#arguments, ...env];
    return new Map(lines.map((line) => [variableName(line), line.slice(variableName(line).length + 1)]));
  }

  #configured(word: string, rest: string): JsonObject {
    const changed = applyInstructions(this.#config, `${word} ${rest}`);
    if (word === 'CMD') this.#hasCommand = true;
    // The command of the base image would be taken for arguments of the new entry point.
    return word === 'ENTRYPOINT' && !this.#hasCommand ? { ...changed, Cmd: null } : changed;
  }

  async #run(command: string): Promise<void> {
    const image = this.#image;
    if (!image) throw new Error('RUN: there is no file in scratch that could be run');
    const { hostConfig, remove } = this.#parameters;
    const key = ['RUN', command, JSON.stringify(this.#arguments)];
    if (this.#takeFromCache(key)) return;
    const step = { engine: this.#engine, image, config: this.#config, command, variables: this.#arguments, hostConfig };
    const container = newRunContainer(step);
    this.#containers.push(container);
    this.#say(` ---> Running in ${container.id.slice(0, 12)}\n`);
    const code = await runToEnd(this.#engine, container, this.#say);
    if (this.#cancelled) throw new Cancelled('the client has gone');
    if (code !== 0) throw new RunError(container.command.join(' '), code);
    await this.#make(key, { config: this.#config, root: container.root.root, container });
    if (!remove) return;
    this.#removeContainers();
    this.#say(`Removing intermediate container ${container.id.slice(0, 12)}\n`);
  }

  async #copy(word: string, rest: string): Promise<void> {
    const workingDir = this.#image?.config.workingDir ?? '';
    const copying = { context: this.#context, paths: wordsOf(rest), workingDir, adds: word === 'ADD' };
    const { sources, digest } = await readSources(copying);
    const key = [word, rest, digest];
    if (this.#takeFromCache(key)) return;
    const root = await copyInto(this.#image?.root ?? newDirectory(), copying, sources);
    await this.#make(key, { config: this.#config, root });
  }

  async #apply(key: readonly string[], step: Step): Promise<void> {
    if (!this.#takeFromCache(key)) await this.#make(key, step);
  }

  #takeFromCache(key: readonly string[]): boolean {
    const { images, buildCache } = this.#engine;
    const known = this.#cacheHolds ? buildCache.find(images, cacheKey(this.#image, ...key)) : undefined;
    // Everything after an instruction that was run is based on a new image, which is not in the cache.
    this.#cacheHolds &&= known !== undefined;
    if (!known) return false;
    this.#say(' ---> Using cache\n');
    this.#image = known;
    return true;
  }

  async #make(key: readonly string[], { config, root, author, container }: Step): Promise<void> {
    const parent = this.#image;
    const image = await makeImage({
      parent,
      root: root ?? parent?.root ?? newDirectory(),
      config,
      author: author ?? parent?.author ?? '',
      container: container?.id ?? '',
      // What the history of the image shows for this step.
      containerConfig: { ...config, Cmd: [key.slice(0, 2).join(' ')] },
    });
    this.#engine.images.add(image);
    this.#engine.buildCache.add(cacheKey(parent, ...key), image);
    this.#image = image;
  }

  #removeContainers(): void {
    for (const container of this.#containers.splice(0)) {
      if (this.#engine.containers.find(container.id)) destroy(this.#engine, container, true);
    }
  }
}
