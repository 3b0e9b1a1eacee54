import type { Browser, Page } from 'playwright-core';

interface Screen {
  readonly name: 'desktop' | 'phone';
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
}

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** The screens on which a page has to be legible. */
export const screens: readonly Screen[] = (['desktop', 'phone'] as const).flatMap((name) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ name, viewport: sizes[name], colorScheme })),
);

export const desktop: Screen = { name: 'desktop', viewport: sizes.desktop, colorScheme: 'light' };

/**
 * An empty page in a context of its own.
 * @param troubles gets a line for each error and dialog, and for each request to anything but files
 */
export async function pageOn(browser: Browser, { viewport, colorScheme }: Screen, troubles: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  page.on('console', (message) => troubles.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => troubles.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!/^(?:file|data|about):/.test(request.url())) troubles.push(`request: ${request.url()}`);
  });
  return page;
}

/** Whether nothing is wider than the screen, so that nobody has to scroll to the side. */
export function fitsScreen(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
}
