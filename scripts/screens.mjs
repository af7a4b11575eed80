// npm run screens: remakes docs/screens, a picture of every screen of the checkout in both themes.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isNode24, node24 } from './node24.mjs';
import { prepare } from './prepare.mjs';
import { root, run, say } from './terminal.mjs';

const FOLDER = join(root, 'docs', 'screens');
const PAGE = join(root, 'libs', 'checkout', 'page', 'dist');
/** A phone; the height follows what there is to see. */
const SIZE = { width: 400, height: 640 };

await prepare();
if (isNode24) await draw();
else process.exit(await run(node24(), [import.meta.filename]));

async function draw() {
  const require = createRequire(import.meta.url);
  const { loadAssets, renderView } = require(PAGE);
  const { openChromium } = require(join(PAGE, 'testing', 'chromium.js'));
  const { VIEWS, MORE_VIEWS } = require(join(PAGE, 'testing', 'views.js'));
  const assets = { ...loadAssets(), script: 'about:blank' };
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
  await page.route('**', (route) => route.abort());
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const [name, view] of Object.entries({ ...VIEWS, ...MORE_VIEWS })) {
      await page.setContent(renderView(view, assets));
      const path = join(FOLDER, `${name.replaceAll(' ', '-')}.${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  await browser.close();
  const files = readdirSync(FOLDER);
  const bytes = files.reduce((sum, file) => sum + statSync(join(FOLDER, file)).size, 0);
  say(`${files.length} screens in docs/screens, ${Math.round(bytes / 1024)} KB`);
}
