/** @needs chromium */
import * as axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { fixedClock, memoryInbox } from '@tender/adapter-memory';
import { openChromium } from '@tender/page/testing';
import { sampleMail } from '@tender/eventing/testing';
import { inboxPage } from './inbox-page';

const LONG = 'Àwọn-aṣọ-tí-kò-ní-àlàfo'.repeat(6);

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await openChromium();
  page = await browser.newPage();
  const mail = memoryInbox(fixedClock());
  await mail.send(sampleMail({ subject: LONG, text: LONG }));
  await page.setViewportSize({ width: 320, height: 700 });
  await page.setContent(inboxPage(mail.inbox.list(), 1));
  await page.click('summary');
  await page.evaluate(axe.source);
});
afterAll(() => browser?.close());

test.each(['light', 'dark'] as const)('axe finds nothing in the inbox where its reader is %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  const faults = await page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    return (await inPage.run()).violations.map(({ id }) => id);
  });
  expect(faults).toEqual([]);
});

test('nothing is cut off at 320 px', async () => {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over).toBeLessThanOrEqual(0);
});
