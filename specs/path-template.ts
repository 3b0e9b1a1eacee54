import { literal } from './wildcard.ts';

/** The paths, without version and query, that a template with parameters in braces stands for. */
export function pathsOf(template: string): RegExp {
  // Names of images have slashes.
  const parameter = template.startsWith('/images/') ? '.+' : '[^/]+';
  return new RegExp(
    `^${template
      .split(/\{\w+\}/)
      .map(literal)
      .join(parameter)}$`,
  );
}

/** The path of a request without its version, which may be missing, and its query. */
export function plainPath(target: string): string {
  return target.replace(/^\/v\d+\.\d+(?=\/)/, '').replace(/\?.*$/s, '');
}
