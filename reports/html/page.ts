import { createHash } from 'node:crypto';
import { readAssets } from './assets.ts';
import type { Embedded } from './embedded.ts';

/** Replacements for the comments `<!-- name -->` in the template of a page. */
export type Parts = Readonly<Record<string, () => Iterable<string> | AsyncIterable<string>>>;

/** A self-contained page, piece by piece: its template with style, script, and the given parts. */
export async function* pagePieces(page: Parameters<typeof readAssets>[0], own: Parts): AsyncIterable<string> {
  const { template, style, script } = await readAssets(page);
  const parts: Parts = {
    policy: () => [`<meta http-equiv="Content-Security-Policy" content="${policy(style, script)}">`],
    style: () => ['<style>', style, '</style>'],
    script: () => ['<script>', script, '</script>'],
    ...own,
  };
  for (const [place, text] of template.split(/<!-- (\w+) -->/).entries()) {
    // Every second piece is the name of a part.
    if (place % 2 === 0) yield text;
    else yield* parts[text]?.() ?? [];
  }
}

/** The start of an element that contains data; `</script>` ends it. */
export function dataBlock(id: keyof Embedded): string {
  return `<script type="application/json" id="${id}">`;
}

/** An element that contains data. */
export function jsonBlock<Id extends keyof Embedded>(id: Id, data: Embedded[Id]): string[] {
  return [dataBlock(id), embed(data), '</script>'];
}

/** JSON that can't end the script element that contains it. */
export function embed(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** Lets the page run only its own script and style, and load nothing. */
function policy(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
