import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Debian puts it, unless `CHROMIUM` says otherwise. */
const EXECUTABLE = process.env.CHROMIUM || '/usr/bin/chromium';

const ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** A browser with a profile of its own, which asks nobody but the page that it is told to open. */
export function openChromium(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) throw new Error(`There is no Chromium at ${EXECUTABLE}; CHROMIUM may name another.`);
  return chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS });
}
