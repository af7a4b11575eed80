/** @needs chromium */
import * as axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '@tender/page/testing';
import { MAIL_LANGUAGES } from '@tender/eventing';
import { renderMail } from './render-mail';
import { sampleInvoice } from './testing/sample';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await openChromium();
  page = await browser.newPage();
  await page.route('**', (route) => route.abort());
});
afterAll(() => browser.close());

const LONG = 'Àwọn-aṣọ-tí-kò-ní-àlàfo'.repeat(6);
const show = (language: (typeof MAIL_LANGUAGES)[number]) =>
  page.setContent(
    renderMail(
      sampleInvoice({
        ...{ language, mode: 'test', title: LONG },
        shop: { name: LONG, support_email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example` },
      }),
    ).html,
  );

const contrastFaults = () =>
  page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inPage.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });

describe.each(MAIL_LANGUAGES)('a mail in %s', (language) => {
  test.each(['light', 'dark'] as const)('axe finds nothing where the reader is %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await show(language);
    await page.evaluate(axe.source);
    expect(await contrastFaults()).toEqual([]);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe({ light: 'rgb(244, 245, 247)', dark: 'rgb(14, 15, 18)' }[colorScheme]);
  });

  test.each([320, 1280])('nothing is cut off at %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await show(language);
    const widest = await page.evaluate(() =>
      Math.max(...[...document.querySelectorAll('body *')].map((one) => one.scrollWidth + one.getBoundingClientRect().left)),
    );
    expect(widest).toBeLessThanOrEqual(width);
  });
});
