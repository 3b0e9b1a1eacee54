import type { ApiVersion } from '../../../specs/versions.ts';
import { atLeast } from '../../../specs/versions.ts';
import type { Fields } from '../../http/fields.ts';
import type { ImageConfig } from '../../images/image.ts';
import { signalNumber } from '../../process/signals.ts';

/** A container configuration (Document 1) as it is kept: the create body with the image's defaults. */
export interface ContainerConfig {
  readonly Hostname: string;
  readonly Domainname: string;
  readonly User: string;
  readonly AttachStdin: boolean;
  readonly AttachStdout: boolean;
  readonly AttachStderr: boolean;
  readonly Tty: boolean;
  readonly OpenStdin: boolean;
  readonly StdinOnce: boolean;
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly Cmd: string | readonly string[] | null;
  readonly Entrypoint: string | readonly string[] | null;
  readonly Image: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly WorkingDir: string;
  readonly NetworkDisabled: boolean;
  readonly MacAddress: string;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly StopSignal: string | number;
  readonly OnBuild: readonly string[];
}

export const portForm = (text: string): boolean => {
  const match = /^(\d{1,5})\/(tcp|udp)$/.exec(text);
  return match !== null && Number(match[1]) >= 1 && Number(match[1]) <= 65_535;
};

const variableForm = (text: string): boolean => /^[^=\0][^=\0]*=[^\0]*$/s.test(text);
const pathForm = (text: string): boolean => text.startsWith('/') && !text.includes('\0');

/** Reads a create body without HostConfig and NetworkingConfig. Throws 400. */
export function readConfig(body: Fields, api: ApiVersion): ContainerConfig {
  // Since 1.52 the address belongs to the networks alone (Document 4).
  const mac = atLeast(api, '1.52') ? '' : body.string('MacAddress');
  if (mac && !/^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(mac)) throw body.refuse('MacAddress', 'not a MAC address');
  return {
    Hostname: body.string('Hostname'),
    Domainname: body.string('Domainname'),
    User: body.string('User'),
    AttachStdin: body.boolean('AttachStdin'),
    AttachStdout: body.boolean('AttachStdout'),
    AttachStderr: body.boolean('AttachStderr'),
    Tty: body.boolean('Tty'),
    OpenStdin: body.boolean('OpenStdin'),
    StdinOnce: body.boolean('StdinOnce'),
    Env: body.strings('Env', variableForm),
    Labels: body.stringMap('Labels'),
    Cmd: body.words('Cmd'),
    Entrypoint: body.words('Entrypoint'),
    Image: body.string('Image'),
    Volumes: body.emptyObjects('Volumes', pathForm),
    WorkingDir: body.string('WorkingDir'),
    NetworkDisabled: body.boolean('NetworkDisabled'),
    MacAddress: mac,
    ExposedPorts: body.emptyObjects('ExposedPorts', portForm),
    StopSignal: atLeast(api, '1.21') ? readStopSignal(body) : '',
    OnBuild: [],
  };
}

function readStopSignal(body: Fields): string | number {
  const value = body.raw('StopSignal');
  if (value === undefined || value === '') return '';
  if (typeof value !== 'string' && typeof value !== 'number')
    throw body.refuse('StopSignal', 'neither string nor integer');
  if (signalNumber(value) === undefined) throw body.refuse('StopSignal', `there is no signal ${value}`);
  return value;
}

/** Whether a command is set: neither absent nor empty. */
export function isSet(words: string | readonly string[] | null): words is string | readonly string[] {
  return words !== null && words.length > 0;
}

/** A command as a list; a string is one element. */
export function toList(words: string | readonly string[] | null): readonly string[] {
  if (words === null || words === '') return [];
  return typeof words === 'string' ? [words] : words;
}

/** Fills what the create body left out from the image; `id` names the container when it has no host name. */
export function withImageDefaults(config: ContainerConfig, image: ImageConfig, id: string): ContainerConfig {
  const ownNames = new Set(config.Env.map(variableName));
  const hasEntrypoint = isSet(config.Entrypoint);
  const inherited = hasEntrypoint ? config.Cmd : isSet(config.Cmd) ? config.Cmd : image.cmd;
  return {
    ...config,
    Hostname: config.Hostname || id.slice(0, 12),
    Env: [...config.Env, ...image.env.filter((line) => !ownNames.has(variableName(line)))],
    Labels: { ...image.labels, ...config.Labels },
    Cmd: inherited,
    Entrypoint: hasEntrypoint ? config.Entrypoint : isSet(image.entrypoint) ? image.entrypoint : null,
    Volumes: { ...Object.fromEntries(image.volumes.map((path) => [path, {}])), ...config.Volumes },
    ExposedPorts: { ...Object.fromEntries(image.exposedPorts.map((port) => [port, {}])), ...config.ExposedPorts },
    WorkingDir: config.WorkingDir || image.workingDir,
    User: config.User || image.user,
    StopSignal: config.StopSignal || image.stopSignal || 'SIGTERM',
    OnBuild: image.onBuild,
  };
}

export function variableName(line: string): string {
  const at = line.indexOf('=');
  return at < 0 ? line : line.slice(0, at);
}

/** The Config part of inspect in a version. */
export function shapeConfig(config: ContainerConfig, api: ApiVersion): object {
  const { StopSignal, MacAddress, ...common } = config;
  const untilRemoved = atLeast(api, '1.52') ? common : { ...common, MacAddress };
  return atLeast(api, '1.21') ? { ...untilRemoved, StopSignal } : untilRemoved;
}
