// npm run screens: remakes docs/screens, a picture of every screen of the checkout in both themes, and of those that
// browsers show which run no scripts.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isNode24, node24 } from './node24.mjs';
import { prepare } from './prepare.mjs';
import { root, run, say } from './terminal.mjs';

const FOLDER = join(root, 'docs', 'screens');
const PAGE = join(root, 'libs', 'checkout', 'page', 'dist');
/** A phone; the height follows what there is to see. */
const SIZE = { width: 400, height: 640 };
const PICTURE = { format: 'webp', quality: 85, captureBeyondViewport: true };

await prepare();
if (isNode24) await draw();
else process.exit(await run(node24(), [import.meta.filename]));

async function draw() {
  const require = createRequire(import.meta.url);
  const { loadAssets, renderPlanView, renderTrouble, renderView } = require(PAGE);
  const { openChromium } = require(join(root, 'libs', 'page', 'dist', 'testing', 'chromium.js'));
  const { VIEWS, MORE_VIEWS, PLAIN_VIEWS, TROUBLES } = require(join(PAGE, 'testing', 'views.js'));
  const { PLAN_VIEWS } = require(join(PAGE, 'testing', 'plan-views.js'));
  const assets = { ...loadAssets(), script: 'about:blank', plan_script: 'about:blank' };
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const browser = await openChromium();
  let [count, bytes] = [0, 0];
  const html = (view) => renderView(view, assets);
  await drawAll({ ...VIEWS, ...MORE_VIEWS }, html, true);
  await drawAll(PLAIN_VIEWS, html, false);
  await drawAll(PLAN_VIEWS, (view) => renderPlanView(view, assets), false);
  await drawAll(TROUBLES, (trouble) => renderTrouble({ ...trouble, language: 'en' }, assets), false);
  await browser.close();
  say(`${count} screens in docs/screens, ${Math.round(bytes / 1024)} KB`);

  async function drawAll(sights, htmlOf, javaScriptEnabled) {
    const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce', javaScriptEnabled });
    const devtools = await page.context().newCDPSession(page);
    await page.route('**', (route) => route.abort());
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      for (const [name, sight] of Object.entries(sights)) {
        await page.setContent(htmlOf(sight));
        const file = join(FOLDER, `${name.replaceAll(/\W+/g, '-')}.${colorScheme}.webp`);
        const { data } = await devtools.send('Page.captureScreenshot', PICTURE);
        const picture = Buffer.from(data, 'base64');
        writeFileSync(file, picture);
        count += 1;
        bytes += picture.length;
      }
    }
  }
}
