import pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

/** Colours on a terminal, unless NO_COLOR is set; elsewhere only with FORCE_COLOR. */
export function colorsFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Colors {
  if (env.NO_COLOR) return pc.createColors(false);
  if (env.FORCE_COLOR) return pc.createColors(env.FORCE_COLOR !== '0');
  return pc.createColors(stream.isTTY === true && env.TERM !== 'dumb');
}
