import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, if possible the one that has no window: its pages open in a third of the time. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));

/** Tests of pages are skipped without one. */
export const hasBrowser = executablePath !== undefined;

/** @throws Error where there is none */
export function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('no Chromium is installed');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}
