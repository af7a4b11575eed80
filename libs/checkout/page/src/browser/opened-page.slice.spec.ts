/** @needs chromium */
import type { Browser, Page } from 'playwright-core';
import { loadAssets } from '../built-assets';
import { policyOf, renderPage } from '../render-page';
import { openChromium } from '../testing/chromium';
import { PAYMENT, VIEWS } from '../testing/views';

const assets = loadAssets();
/** Not by HTTPS, so the browser gives it no clipboard. */
const ORIGIN = 'http://checkout.example';
const customer = { email: 'a***@example.com', name: null };
const html = renderPage({ ...VIEWS.shell.page, shown: { ...PAYMENT, customer } }, assets);

let browser: Browser;

beforeAll(async () => void (browser = await openChromium()));
afterAll(() => browser.close());

/** The page as the program serves it, under its policy; its script comes or does not. */
async function opened({ has_script = true, reducedMotion = 'no-preference' as 'reduce' | 'no-preference' }): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion })).newPage();
  await page.route('**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/p/')) {
      const headers = { 'content-security-policy': policyOf(assets) };
      return route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body: html });
    }
    const script = assets.scripts.get(pathname.split('/').at(-1) ?? '');
    if (!script || !has_script) return route.abort();
    return route.fulfill({ contentType: 'text/javascript', body: script.plain });
  });
  await page.goto(`${ORIGIN}/p/${PAYMENT.payment_id}`);
  return page;
}

test('without a clipboard the text is unfolded and marked, and nothing fails', async () => {
  const page = await opened({});
  const faults: Error[] = [];
  page.on('pageerror', (fault) => faults.push(fault));
  await page.getByRole('button', { name: 'Show QR code' }).click();
  expect(await page.evaluate(() => 'clipboard' in navigator)).toBe(false);
  await page.getByRole('button', { name: 'Copy payment link' }).click();
  await page.waitForFunction((text) => getSelection()?.toString() === text, PAYMENT.qr_code);
  expect(faults).toEqual([]);
});

test('the script takes away what there is without it', async () => {
  const page = await opened({});
  await page.getByRole('button', { name: 'Show QR code' }).waitFor();
  expect(await page.locator('.unscripted').count()).toBe(0);
});

test.each(['reduce', 'no-preference'] as const)('where the script does not come, what there is without it does (motion: %s)', async (reducedMotion) => {
  const page = await opened({ has_script: false, reducedMotion });
  const code = page.getByRole('heading', { name: 'Scan to pay' });
  expect(await code.isVisible()).toBe(false);
  // The while that a slow script has is over.
  await page.evaluate(() => document.getAnimations().forEach((one) => 'animationName' in one && one.animationName !== 'breathe' && one.finish()));
  expect(await code.isVisible()).toBe(true);
  expect(await page.locator('.unscripted').evaluate(({ offsetHeight }: HTMLElement) => offsetHeight)).toBeGreaterThan(300);
  expect(await page.getByText('Preparing your payment').isVisible()).toBe(false);
});
