import { readFileSync } from 'node:fs';
import { dockerWords, engineWords, type NeutralWord, neutralWords, type Words } from '../../specs/words.ts';
import type { JsonValue } from '../streams/json.ts';
import { UsageError } from '../usage-error.ts';

/** How the brand words of the documents are written on the wire. */
export interface Dialect {
  readonly name: string;
  readonly words: Words;
}

export const engineDialect: Dialect = { name: 'engine', words: engineWords };
export const dockerDialect: Dialect = { name: 'docker', words: dockerWords };

/**
 * The dialect of a name (`engine`, `docker`) or of a YAML or JSON file that maps neutral words to wire words. Words the
 * file leaves out keep their neutral spelling.
 * @throws UsageError for a file that cannot be read or contains something else.
 */
export async function namedDialect(nameOrFile: string): Promise<Dialect> {
  if (nameOrFile === 'engine') return engineDialect;
  if (nameOrFile === 'docker') return dockerDialect;
  return { name: nameOrFile, words: { ...engineWords, ...(await readWords(nameOrFile)) } };
}

async function readWords(file: string): Promise<Partial<Record<NeutralWord, string>>> {
  // Loaded where there is a file: every command would load it otherwise.
  const { parse } = await import('yaml');
  let table: unknown;
  try {
    table = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--dialect takes engine, docker, auto or a file; cannot read ${file}: ${why}`);
  }
  if (typeof table !== 'object' || table === null || Array.isArray(table)) {
    throw new UsageError(`${file} is not a dialect: it must map neutral words to the words on the wire`);
  }
  const words: Partial<Record<NeutralWord, string>> = {};
  for (const [word, spelling] of Object.entries(table)) {
    const neutral = neutralWords.find((known) => known === word);
    if (!neutral)
      throw new UsageError(
        `${file}: '${word}' is not a neutral word; the neutral words are ${neutralWords.join(', ')}`,
      );
    if (typeof spelling !== 'string') throw new UsageError(`${file}: the spelling of ${word} must be a string`);
    words[neutral] = spelling;
  }
  return words;
}

/**
 * Which dialect a daemon speaks, from the top-level names of its GET /info answer. Falls back to the documents' neutral
 * words.
 */
export function dialectOf(info: unknown): Dialect {
  const speaksDocker = typeof info === 'object' && info !== null && 'DockerRootDir' in info;
  return speaksDocker ? dockerDialect : engineDialect;
}

/**
 * Renames the brand words among an answer's top-level names to the neutral ones. Labels and other maps are left alone.
 */
export function toNeutral(dialect: Dialect, answer: JsonValue): JsonValue {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  const renamed = new Map(neutralWords.map((word) => [dialect.words[word], word]));
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [renamed.get(name) ?? name, value]));
}
