/** @needs chromium */
import type { Browser, Page } from 'playwright-core';
import { loadAssets } from '../built-assets';
import { policyOf, renderPage } from '../render-page';
import { openChromium } from '@tender/page/testing';
import { PAYMENT, VIEWS } from '../testing/views';

const assets = loadAssets();
/** Not by HTTPS, so the browser gives it no clipboard. */
const ORIGIN = 'http://checkout.example';
const customer = { email: 'a***@example.com', name: null };
const pageOf = (changes: object): string =>
  renderPage({ ...VIEWS.shell.page, shown: { ...PAYMENT, ...changes } }, assets);

let browser: Browser;

beforeAll(async () => void (browser = await openChromium()));
afterAll(() => browser.close());

/** The page as the program serves it, under its policy; its script comes or does not. */
async function opened({ has_script = true, reducedMotion = 'no-preference' as 'reduce' | 'no-preference', shown = { customer } as object }): Promise<Page> {
  const html = pageOf(shown);
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

describe('a shop that asks for details', () => {
  const asking = { collect_customer_info: true, customer: null };
  const focused = (page: Page) =>
    page.evaluate(() => (document.activeElement as HTMLInputElement).name);
  const press = (page: Page) =>
    page.getByRole('button', { name: 'Continue', exact: true }).click();
  const says = (page: Page, state: string) => page.locator(`main[data-state="${state}"]`).waitFor();

  test('is given no blanks for a name, nor what is no e-mail; the focus goes to what is wrong', async () => {
    const page = await opened({ shown: asking });
    await page.getByLabel('E-mail').fill('ada@example');
    await press(page);
    await page.locator('#email-fault').waitFor();
    expect(await focused(page)).toBe('email');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await press(page);
    await says(page, 'info');
    for (const field of ['Full name', 'Address', 'Postal code', 'City']) {
      await page.getByLabel(field, { exact: true }).fill(field === 'City' ? ' ' : 'x');
    }
    await page.getByLabel('Country').selectOption('GB');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.method()));
    await press(page);
    await page.locator('#billing_city-fault').waitFor();
    expect([await focused(page), asked.includes('POST')]).toEqual(['billing_city', false]);
  });

  test('back leads from the details to the e-mail, and from there off the page', async () => {
    const page = await opened({ shown: asking });
    await page.getByLabel('E-mail').fill('ada@example.com');
    await press(page);
    await says(page, 'info');
    await page.goBack();
    await says(page, 'email');
    await page.goBack();
    expect(page.url()).toBe('about:blank');
  });
});

test('back leaves a page that was loaded again at the code, by one press; its language stays', async () => {
  const page = await opened({});
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await page.getByRole('link', { name: 'Français' }).click();
  await page.waitForURL(/\?lang=fr$/);
  expect(await page.title()).toBe('Payer Corner Coffee');
  await page.reload();
  await page.locator('main[data-state="choose"]').waitFor();
  await page.goBack().catch(() => null);
  await page.waitForURL('about:blank');
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

test('in two tabs, pressed at once, a link is asked for one payment, though what one tab keeps comes late to the other', async () => {
  const context = await browser.newContext();
  const { page: link } = VIEWS['link full'];
  const shown = { ...link.shown, status: 'active' } as typeof link.shown;
  const keys: (string | undefined)[] = [];
  await context.route('**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const html = (data: typeof link) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: renderPage(data, assets) });
    const script = assets.scripts.get(pathname.split('/').at(-1) ?? '');
    if (script) return route.fulfill({ contentType: 'text/javascript', body: script.plain });
    if (pathname.startsWith('/l/')) return html({ ...link, shown });
    if (pathname.startsWith('/p/')) return html({ ...VIEWS.shell.page, shown: PAYMENT });
    if (!pathname.endsWith('/pay')) return route.abort();
    keys.push(route.request().headers()['idempotency-key']);
    return route.fulfill({ json: { payment_id: PAYMENT.payment_id } });
  });
  // Locks are for secure pages only.
  const tabs = await Promise.all(['first', 'second'].map(async () => {
    const page = await context.newPage();
    // As it can be between two processes: what another tab has written meanwhile is not there yet.
    await page.addInitScript(() => {
      const own = new Map<string, string>();
      Storage.prototype.getItem = (name) => own.get(name) ?? null;
      Storage.prototype.setItem = (name, text) => void own.set(name, text);
    });
    await page.goto(`https://checkout.example/l/${PAYMENT.link_code}`);
    return page;
  }));
  const press = (tab: Page) => tab.getByRole('button', { name: 'Continue without e-mail' }).click();
  await Promise.all(tabs.map(press));
  for (const tab of tabs) await tab.locator('main[data-state="choose"]').waitFor();
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  await context.close();
});
