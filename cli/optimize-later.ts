import { setFlagsFromString } from 'node:v8';

/** The newest Node on which the flags below were tried: of one that it does not know, V8 writes an error. */
const newestTried = 26;
/** From this one on, V8 counts otherwise when to optimize JavaScript. */
const withoutBudget = 22;

/**
 * Lets V8 optimize later, in all threads of this process: most commands are over before it pays, and much of a whole run, too. The
 * first budget is of undici's parser in WebAssembly, whose optimizing takes a tenth of a short command's time and 25 MB; the
 * second, of JavaScript, is four times V8's own, and spares a whole run 15 MB.
 */
export function optimizeLater(): void {
  const node = Number.parseInt(process.versions.node, 10);
  if (node <= newestTried) setFlagsFromString('--wasm-tiering-budget=200000000');
  if (node < withoutBudget) setFlagsFromString('--interrupt-budget=270336');
}
