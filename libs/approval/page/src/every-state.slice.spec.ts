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
import { APPROVE_VIEWS, drawnApprove, LONG_REQUEST } from './testing/approve-views';
import { drawn, VIEWS } from './testing/views';

interface Screen {
  readonly html: (language: Language) => string;
  /** With what nothing breaks, as long as it can be. */
  readonly unbroken: () => string;
}

const LONG_NAME = 'W'.repeat(100);
const ofSetUp = Object.entries(VIEWS).map(([name, view]): [string, Screen] => {
  const setup = view.setup && { ...view.setup, merchant_name: LONG_NAME };
  return [name, { html: (to) => drawn(view, to), unbroken: () => drawn({ ...view, setup }, 'en') }];
});
const ofApproval = Object.entries(APPROVE_VIEWS).map(([name, view]): [string, Screen] => {
  const long = { ...view, request: view.request && LONG_REQUEST };
  return [`approve: ${name}`, { html: (to) => drawnApprove(view, to), unbroken: () => drawnApprove(long, 'en') }];
});
const SCREENS = new Map([...ofSetUp, ...ofApproval]);

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

const show = (body: string, language: Language = 'en', more_style = '') =>
  page.setContent(htmlDocument({ language, title: 'A title', style: style + more_style, body }));
const htmlOf = (name: string): string => SCREENS.get(name)?.html('en') ?? '';

describe.each([...SCREENS])('%s', (_, { html, unbroken }) => {
  test.each(LANGUAGES)('axe finds nothing, in light and dark, in %s', async (language) => {
    await page.setViewportSize(PHONE);
    await show(html(language), language);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
  });

  test.each(LANGUAGES)('at 320 px nothing is cut off, and a thumb hits what is pressed, in %s', async (language) => {
    await page.setViewportSize(NARROW);
    await show(html(language), language);
    expect(await page.evaluate(whatIsCutOff)).toEqual([]);
    expect(await page.evaluate(tooSmall)).toEqual([]);
  });

  test('with colours of the person’s own, what is pressed has an edge and shows the focus', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.setViewportSize(NARROW);
    await show(html('en'));
    await page.keyboard.press('Tab');
    expect(await page.evaluate(whatIsNotSeen)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
  });

  test('a name that nothing breaks breaks nothing', async () => {
    await page.setViewportSize(NARROW);
    await show(unbroken());
    expect(await page.evaluate(whatIsCutOff)).toEqual([]);
  });
});

test('faults would be found', async () => {
  await page.setViewportSize(NARROW);
  await show(htmlOf('passphrase'), 'en', 'h1{width:500px}button{border:0!important}:focus-visible{outline:0!important}label span{display:none!important}');
  expect((await page.evaluate(whatIsCutOff)).join()).toContain('scrolls sideways');
  expect((await axeFindings(page)).join()).toContain('label');
  await page.keyboard.press('Tab');
  expect((await page.evaluate(whatIsNotSeen)).join()).toContain('the focus on');
});

test('what goes on is shown by more than a colour', async () => {
  await show(htmlOf('making'));
  const steps = await page.evaluate(() =>
    [...document.querySelectorAll('.steps li')].map((step) => {
      const { content, borderTopWidth } = getComputedStyle(step, '::before');
      return [content, borderTopWidth, getComputedStyle(step).fontWeight].join();
    }),
  );
  expect(new Set(steps).size).toBe(3);
});
