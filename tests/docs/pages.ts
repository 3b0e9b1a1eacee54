import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { marked, type Token } from 'marked';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A page of Markdown in this repository. */
export interface Page {
  /** Its path from the root of the repository. */
  readonly file: string;
  readonly tokens: readonly Token[];
  /** What a link to this page may name after the #. */
  readonly anchors: ReadonlySet<string>;
}

/** Every page, but for those of other projects. */
export const pages: readonly Page[] = ['.', 'docs', 'docs/decisions']
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)))
  .filter((file) => file.endsWith('.md'))
  .map(readPage);

function readPage(file: string): Page {
  const tokens = marked.lexer(readFileSync(path.join(root, file), 'utf8'));
  const slugger = new GithubSlugger();
  const anchors = everyToken(tokens).flatMap((token) => {
    if (token.type === 'heading') return [slugger.slug(token.text.replaceAll('`', ''))];
    if (token.type === 'html') return [...token.raw.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
    return [];
  });
  return { file, tokens, anchors: new Set(anchors) };
}

/** Tokens with those inside them. */
export function everyToken(tokens: readonly Token[]): Token[] {
  const found: Token[] = [];
  void marked.walkTokens([...tokens], (token) => {
    found.push(token);
  });
  return found;
}
