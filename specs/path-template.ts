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
  const query = target.indexOf('?');
  return (query < 0 ? target : target.slice(0, query)).replace(/^\/v\d+\.\d+(?=\/)/, '');
}
