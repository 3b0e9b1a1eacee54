import type { JsonObject } from '../http/fields.ts';
import { isObject } from '../http/fields.ts';
import type { DirectoryNode } from '../process/file-system.ts';

/** The part of an image's configuration that containers inherit. */
export interface ImageConfig {
  readonly raw: JsonObject;
  readonly env: readonly string[];
  readonly cmd: string | readonly string[] | null;
  readonly entrypoint: string | readonly string[] | null;
  readonly workingDir: string;
  readonly user: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly exposedPorts: readonly string[];
  readonly stopSignal: string;
  readonly onBuild: readonly string[];
}

export interface Image {
  /** 64 hexadecimal digits. */
  readonly id: string;
  /** Identifier of the parent image; empty when there is none. */
  readonly parent: string;
  readonly created: bigint;
  readonly author: string;
  readonly comment: string;
  readonly os: string;
  readonly architecture: string;
  readonly container: string;
  readonly containerConfig: JsonObject;
  readonly config: ImageConfig;
  /** Digests of the layers, `sha256:…`, lowest first. */
  readonly layers: readonly string[];
  readonly root: DirectoryNode;
  /** Total size of all files. */
  readonly size: number;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function command(value: unknown): string | string[] | null {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? strings(value) : null;
}

/** Reads an image's `config` object leniently: a value of another type counts as unset. */
export function readImageConfig(value: unknown): ImageConfig {
  const raw = isObject(value) ? value : {};
  const labels = isObject(raw.Labels) ? Object.entries(raw.Labels) : [];
  return {
    raw,
    env: strings(raw.Env),
    cmd: command(raw.Cmd),
    entrypoint: command(raw.Entrypoint),
    workingDir: text(raw.WorkingDir),
    user: text(raw.User),
    labels: Object.fromEntries(labels.map(([key, label]) => [key, text(label)])),
    volumes: isObject(raw.Volumes) ? Object.keys(raw.Volumes) : [],
    exposedPorts: isObject(raw.ExposedPorts) ? Object.keys(raw.ExposedPorts) : [],
    stopSignal: text(raw.StopSignal),
    onBuild: strings(raw.OnBuild),
  };
}
