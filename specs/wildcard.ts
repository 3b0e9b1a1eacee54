/** A pattern in which `*` stands for any characters. */
export function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`);
}

/** The characters of a text as an expression that matches just them. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
