import { badParameter } from '../errors.ts';
import type { JsonObject } from '../http/fields.ts';
import { isObject } from '../http/fields.ts';

/** Applies instructions of a build file, one per line, to a configuration. Throws 400 for other instructions. */
export function applyInstructions(config: JsonObject, text: string): JsonObject {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).reduce(applyInstruction, config);
}

function applyInstruction(config: JsonObject, line: string): JsonObject {
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  if (rest === '') throw badParameter(`changes: ${word} needs an argument`);
  switch (word.toUpperCase()) {
    case 'CMD':
      return { ...config, Cmd: command(rest) };
    case 'ENTRYPOINT':
      return { ...config, Entrypoint: command(rest) };
    case 'ENV':
      return { ...config, Env: withVariables(config.Env, pairs(rest)) };
    case 'LABEL':
      return {
        ...config,
        Labels: { ...(isObject(config.Labels) && config.Labels), ...Object.fromEntries(pairs(rest)) },
      };
    case 'EXPOSE':
      return { ...config, ExposedPorts: withKeys(config.ExposedPorts, words(rest).map(port)) };
    case 'VOLUME':
      return { ...config, Volumes: withKeys(config.Volumes, jsonWords(rest) ?? words(rest)) };
    case 'USER':
      return { ...config, User: rest };
    case 'WORKDIR':
      return { ...config, WorkingDir: rest.startsWith('/') ? rest : `${String(config.WorkingDir || '/')}/${rest}` };
    case 'STOPSIGNAL':
      return { ...config, StopSignal: rest };
    case 'ONBUILD':
      return { ...config, OnBuild: [...(Array.isArray(config.OnBuild) ? config.OnBuild : []), rest] };
    default:
      throw badParameter(`changes: ${word} is not an instruction that can be applied`);
  }
}

/** The JSON form of a command, or its shell form. */
function command(text: string): string[] {
  return jsonWords(text) ?? ['/bin/sh', '-c', text];
}

function jsonWords(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Words separated by white space; quotes keep a text together. */
function words(text: string): string[] {
  const found = text.match(/(?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s"'])+/g) ?? [];
  return found.map((word) => word.replace(/"((?:\\.|[^"])*)"|'([^']*)'|\\(.)/g, (_all, a, b, c) => a ?? b ?? c));
}

/** `key=value …`, or the old form `key value`. */
function pairs(text: string): (readonly [string, string])[] {
  const all = words(text);
  const [first = '', ...rest] = all;
  if (!first.includes('=')) return [[first, rest.join(' ')]];
  return all.map((word) => {
    const at = word.indexOf('=');
    if (at <= 0) throw badParameter(`changes: ${word} is not of the form key=value`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
}

function withVariables(env: unknown, variables: readonly (readonly [string, string])[]): string[] {
  const names = new Set(variables.map(([name]) => name));
  const lines = Array.isArray(env) ? env.filter((line) => typeof line === 'string') : [];
  const others = lines.filter((line) => !names.has(line.split('=', 1)[0] ?? ''));
  return [...others, ...variables.map(([name, value]) => `${name}=${value}`)];
}

function withKeys(map: unknown, keys: readonly string[]): JsonObject {
  return { ...(isObject(map) && map), ...Object.fromEntries(keys.map((key) => [key, {}])) };
}

function port(text: string): string {
  return text.includes('/') ? text : `${text}/tcp`;
}
