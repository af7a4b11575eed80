/** @needs chromium */
import path from 'node:path';
import { axeFindings, sourceStyle, tooSmall } from '@tender/page/testing';
import type { Browser, Page } from 'playwright-core';
import { renderPlanView } from './plan/render-plan-page';
import { renderTrouble, renderView } from './render-page';
import { openChromium } from '@tender/page/testing';
import { PLAN_VIEWS, planInLanguage } from './testing/plan-views';
import { inLanguage, LANGUAGES, MORE_VIEWS, PLAIN_VIEWS, TROUBLES, VIEWS } from './testing/views';
import type { Language } from '@tender/page';
import type { View } from './view';

const ASSETS = { script: 'about:blank', plan_script: 'about:blank', style: sourceStyle(path.join(__dirname, 'style.css')) };
/** The page of a screen, in a language. */
type Sight = readonly [name: string, html: (language: Language) => string];
const SIGHTS: readonly Sight[] = [
  ...Object.entries({ ...VIEWS, ...MORE_VIEWS }).map(
    ([name, view]): Sight => [name, (language) => renderView(inLanguage(view, language), ASSETS)],
  ),
  ...Object.entries(PLAN_VIEWS).map(
    ([name, view]): Sight => [
      name,
      (language) => renderPlanView(planInLanguage(view, language), ASSETS),
    ],
  ),
];

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openChromium();
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  page = await context.newPage();
  // Scripts are on, so that what is shown without them is not shown; the one of the page is not loaded.
  await page.route('**', (route) => route.abort());
});

afterAll(() => browser.close());

const show = (view: View) => page.setContent(renderView(view, ASSETS));

describe.each(SIGHTS)('%s', (_, html) => {
  test.each(LANGUAGES)('axe finds nothing, in light and dark, in %s', async (language) => {
    await page.setContent(html(language));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
  });

  test('nothing is cut off at 320 px, and what is pressed is large enough for a thumb', async () => {
    for (const language of LANGUAGES) {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.setContent(html(language));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
      expect(await page.evaluate(tooSmall)).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
  });
});

/** As a browser without scripts reads it; axe is a script. */
const withoutScripts = (html: string): string =>
  html
    .replace(/<noscript><meta.*?<\/noscript>/, '')
    .replace('@media (scripting:none)', '@media all');

test.each(Object.entries(PLAIN_VIEWS))('%s: axe finds nothing, in light and dark', async (_, view) => {
  for (const language of LANGUAGES) {
    await page.setContent(withoutScripts(renderView(inLanguage(view, language), ASSETS, '0'.repeat(32))));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
  }
});

test.each(Object.entries(TROUBLES))('%s: axe finds nothing, in light and dark, and nothing is cut off at 320 px', async (_, trouble) => {
  for (const language of LANGUAGES) {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.setContent(renderTrouble({ ...trouble, language }, ASSETS));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 360, height: 740 });
});

test('the whole QR code is seen on a phone without scrolling', async () => {
  await show(VIEWS.qr);
  const box = await page.locator('.qr').boundingBox();
  expect(box && box.y + box.height).toBeLessThanOrEqual(740);
});

test('axe would find a fault', async () => {
  await show(VIEWS.choose);
  await page.evaluate(() => document.querySelector('section img')?.removeAttribute('alt'));
  expect((await axeFindings(page)).join()).toContain('image-alt');
});
