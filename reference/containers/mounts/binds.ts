import type { ApiVersion } from '../../../specs/versions.ts';
import { atLeast } from '../../../specs/versions.ts';

/** A bind of HostConfig.Binds in its parts. */
export interface Bind {
  /** An absolute path of the host, or a volume's name. */
  readonly source: string;
  readonly destination: string;
  readonly mode: string;
  readonly readOnly: boolean;
  readonly propagation: string;
  readonly isVolume: boolean;
}

const propagations = ['private', 'rprivate', 'shared', 'rshared', 'slave', 'rslave'];
const modes = new Set(['ro', 'rw', 'z', 'Z', 'nocopy', ...propagations]);

/** Reads `source:destination[:mode]`; undefined when it has another form. Volume names exist since 1.21. */
export function parseBind(text: string, api: ApiVersion): Bind | undefined {
  const [source = '', destination = '', mode = '', ...more] = text.split(':');
  if (more.length > 0 || text.includes('\0') || !destination.startsWith('/') || /^[/.]*$/.test(destination))
    return undefined;
  if (text.split(':').length === 3 && mode === '') return undefined;
  const options = mode === '' ? [] : mode.split(',');
  if (!options.every((option) => modes.has(option))) return undefined;
  const isVolume = !source.startsWith('/');
  if (isVolume && !(atLeast(api, '1.21') && /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(source))) return undefined;
  return {
    source,
    destination: destination.replace(/\/+$/, ''),
    mode,
    readOnly: options.includes('ro'),
    propagation: options.find((option) => propagations.includes(option)) ?? (isVolume ? '' : 'rprivate'),
    isVolume,
  };
}
