import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { UsageError } from '../../harness/usage-error.ts';
import { askedReporters } from '../reporters.ts';
import type { Setting } from './settings.ts';

/** The file of settings that is looked for in the working directory. */
export const configFile = 'engine-conformance.yaml';

/** Settings that name files, which are looked for from the folder of the file of settings. */
const files: readonly string[] = [
  'tls-ca',
  'tls-cert',
  'tls-key',
  'baseline',
  'report',
  ...Object.keys(askedReporters),
];

/**
 * Gives a command the settings of the file that `--config` names, or of `engine-conformance.yaml` where there is one, as if
 * they were options. What stands on the command line or in the environment wins.
 * The option `config` is the file that was read, if there is one.
 * @throws UsageError for a file that cannot be read, and for what in it is no setting
 */
export async function useConfig(command: Command): Promise<void> {
  const named: unknown = command.getOptionValue('config');
  const file = typeof named === 'string' ? named : existsSync(configFile) ? configFile : undefined;
  if (file === undefined) return;
  command.setOptionValueWithSource('config', file, 'config');
  const { readSettings } = await import('./settings.ts');
  for (const setting of readSettings(file)) {
    const option = command.options.find(({ long }) => long === `--${setting.key}`);
    if (!option) throw new Error(`${command.name()} has no option --${setting.key}`);
    const name = option.attributeName();
    const source = command.getOptionValueSource(name);
    if (source === 'cli' || source === 'env') continue;
    const value = valueFor(option, setting, path.dirname(file));
    if (value !== false) command.setOptionValueWithSource(name, value, 'config');
  }
}

/** What the option makes of the values, as if each were given on the command line. */
function valueFor(option: Option, { key, values, where }: Setting, folder: string): unknown {
  let value: unknown;
  for (const one of values) {
    const given = files.includes(key) ? path.join(path.isAbsolute(String(one)) ? '' : folder, String(one)) : one;
    try {
      value = option.parseArg && typeof given !== 'boolean' ? option.parseArg(String(given), value) : given;
    } catch (error) {
      if (error instanceof InvalidArgumentError) throw new UsageError(`${where}: ${key}: ${error.message}`);
      throw error;
    }
  }
  return value;
}
