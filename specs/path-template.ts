import { literal } from './wildcard.ts';

/** Matches the paths, without version and query, of a template with parameters in braces. */
export function pathsOf(template: string): RegExp {
  // Image names contain slashes.
  const parameter = template.startsWith('/images/') ? '.+' : '[^/]+';
  return new RegExp(
    `^${template
      .split(/\{\w+\}/)
      .map(literal)
      .join(parameter)}$`,
  );
}

/** The path of a request without its query and its version, if any. */
export function plainPath(target: string): string {
  return target.replace(/^\/v\d+\.\d+(?=\/)/, '').replace(/\?.*$/s, '');
}
