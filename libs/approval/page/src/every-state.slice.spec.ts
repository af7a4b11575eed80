/** @needs chromium */
import path from 'node:path';
import { htmlDocument, LANGUAGES, type Language } from '@tender/page';
import {
  axeFindings,
  openChromium,
  sourceStyle,
  tooSmall,
  whatIsCutOff,
  whatIsNotSeen,
} from '@tender/page/testing';
import type { Browser, Page } from 'playwright-core';
import { drawn, SET_UP, VIEWS } from './testing/views';
import type { View } from './view';

const style = sourceStyle(path.join(__dirname, 'style.css'));
/** A narrow phone; also a wide window at 400 %. */
const NARROW = { width: 320, height: 256 };
const PHONE = { width: 360, height: 740 };

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openChromium();
  page = await (await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' })).newPage();
  await page.route('**', (route) => route.abort());
});
afterAll(() => browser.close());

const show = (view: View, language: Language = 'en', more_style = '') =>
  page.setContent(
    htmlDocument({ language, title: 'A title', style: style + more_style, body: drawn(view, language) }),
  );

describe.each(Object.entries(VIEWS))('%s', (_, view) => {
  test.each(LANGUAGES)('axe finds nothing, in light and dark, in %s', async (language) => {
    await page.setViewportSize(PHONE);
    await show(view, language);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
  });

  test.each(LANGUAGES)('at 320 px nothing is cut off, and a thumb hits what is pressed, in %s', async (language) => {
    await page.setViewportSize(NARROW);
    await show(view, language);
    expect(await page.evaluate(whatIsCutOff)).toEqual([]);
    expect(await page.evaluate(tooSmall)).toEqual([]);
  });

  test('with colours of the person’s own, what is pressed has an edge and shows the focus', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.setViewportSize(NARROW);
    await show(view);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(whatIsNotSeen)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
  });

  test('a name that nothing breaks breaks nothing', async () => {
    await page.setViewportSize(NARROW);
    const setup = view.setup && { ...SET_UP, ...view.setup, merchant_name: 'W'.repeat(100) };
    await show({ ...view, setup });
    expect(await page.evaluate(whatIsCutOff)).toEqual([]);
  });
});

test('faults would be found', async () => {
  await page.setViewportSize(NARROW);
  await show(VIEWS['passphrase'] as View, 'en', 'h1{width:500px}button{border:0!important}:focus-visible{outline:0!important}label span{display:none!important}');
  expect((await page.evaluate(whatIsCutOff)).join()).toContain('scrolls sideways');
  expect((await axeFindings(page)).join()).toContain('label');
  await page.keyboard.press('Tab');
  expect((await page.evaluate(whatIsNotSeen)).join()).toContain('the focus on');
});

test('what goes on is told by more than a colour', async () => {
  await show(VIEWS['making'] as View);
  const steps = await page.evaluate(() =>
    [...document.querySelectorAll('.steps li')].map((step) => {
      const { content, borderTopWidth } = getComputedStyle(step, '::before');
      return [content, borderTopWidth, getComputedStyle(step).fontWeight].join();
    }),
  );
  expect(new Set(steps).size).toBe(3);
});
