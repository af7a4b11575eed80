import { createHash } from 'node:crypto';
import { brotliCompressSync, gunzipSync, brotliDecompressSync } from 'node:zlib';
import { compressPage } from '@tender/page';
import { ASSETS_PATH, loadAssets } from './built-assets';
import { renderPlanView } from './plan/render-plan-page';
import { renderView } from './render-page';
import { PLAN_VIEWS, planInLanguage } from './testing/plan-views';
import { inLanguage, LANGUAGES, MORE_VIEWS, PAYMENT, PLAIN_VIEWS, VIEWS } from './testing/views';
import type { View } from './view';

/** What the first visit may cost, compressed. */
const BUDGET = { script: 20_480, plan_script: 2_560, style: 4_096, page: 8_192 };

const assets = loadAssets();
const compressed = (text: string): number => brotliCompressSync(text).length;

test('each page loads one script that is within its budget, and its compressed forms are it', () => {
  const built = [...assets.scripts.keys()].map((name) => ASSETS_PATH + name);
  expect(built.sort()).toEqual([assets.script, assets.plan_script].sort());
  for (const { plain, br, gzip } of assets.scripts.values()) {
    expect(brotliDecompressSync(br)).toEqual(plain);
    expect(gunzipSync(gzip)).toEqual(plain);
    expect(br.length).toBeLessThanOrEqual(BUDGET.script);
    // A script that loads another one makes the customer wait twice.
    expect(plain.toString()).not.toMatch(/\bimport\s*["'({]|\bfrom\s*["']/);
  }
});

test('subscribing needs a tenth of what paying does', () => {
  const br = assets.scripts.get(assets.plan_script.slice(ASSETS_PATH.length))?.br;
  expect(br?.length).toBeLessThanOrEqual(BUDGET.plan_script);
});

test('so is the style', () => expect(compressed(assets.style)).toBeLessThanOrEqual(BUDGET.style));

/** As it goes over the wire. */
const served = (view: View): number => compressPage(renderView(view, assets), 'br').length;

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(Object.entries({ ...VIEWS, ...MORE_VIEWS, ...PLAIN_VIEWS }))('so is the page as it is served, its style and data with it: %s', (_, view) => {
    expect(served(inLanguage(view, language))).toBeLessThanOrEqual(BUDGET.page);
  });
});

const asked = PLAIN_VIEWS['details without scripts'] as View;
const withPayment = (changes: object): View => ({
  ...asked, page: { ...asked.page, shown: { ...PAYMENT, collect_customer_info: true, ...changes } },
});

test.each(LANGUAGES)('so are the pages of plans, in %s', (language) => {
  for (const view of Object.values(PLAN_VIEWS)) {
    const html = renderPlanView(planInLanguage(view, language), assets);
    expect(compressPage(html, 'br').length).toBeLessThanOrEqual(BUDGET.page);
  }
});

test('so is the largest one, with all the stray money that a page is told of', () => {
  const reasons = ['short', 'late', 'wrong_mint', 'wrong_account'] as const;
  const stray_money = Array.from({ length: 20 }, (_, at) => ({
    reason: reasons[at % 4], token: at % 3 ? 'USDC' : null, amount: String(7_919 ** 2 * (at + 1)),
  }));
  const view = withPayment({ stray_money });
  const page = { ...view.page, simulator: true };
  expect(served(inLanguage({ ...view, page }, 'fr'))).toBeLessThanOrEqual(BUDGET.page);
});

test('what a shop adds by long texts of its own comes on top: of two addresses of 2,000 letters, what they hold', () => {
  const noise = createHash('shake256', { outputLength: 1_024 }).update('a shop').digest('hex');
  const urls = { return_url: `https://corner.example/${noise.slice(0, 2_000)}`, cancel_url: `https://corner.example/${noise.slice(48)}` };
  // The second differs from the first by its start; sixteen digits make half a byte each.
  expect(served(withPayment(urls))).toBeLessThanOrEqual(served(withPayment({})) + 1_250);
});

test('nothing names another origin to load from', () => {
  const loaded = /(?:src|srcset|@import|url\(|fetch\(|import\()\s*=?\s*["'(]*\s*(https?:)?\/\/[^"')\s]+/g;
  const plans = Object.values(PLAN_VIEWS).map((view) => renderPlanView(view, assets));
  const html = [...Object.values(VIEWS).map((view) => renderView(view, assets)), ...plans].join('');
  const script = [...assets.scripts.values()].map(({ plain }) => plain.toString()).join('');
  expect([...(html + script).matchAll(loaded)].map(([found]) => found)).toEqual([]);
});
