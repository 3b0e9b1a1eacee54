/** A pattern in which `*` stands for any characters. */
export function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`);
}

/** A regular expression for exactly this text. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
