/** @needs chromium */
import path from 'node:path';
import { sourceStyle, whatIsCutOff, whatIsNotSeen } from '@tender/page/testing';
import type { Browser, Page } from 'playwright-core';
import { renderPlanView } from './plan/render-plan-page';
import { renderView } from './render-page';
import { openChromium } from '@tender/page/testing';
import { atPlan, atSubscription, PLAN_VIEWS, planInLanguage } from './testing/plan-views';
import { inLanguage, LANGUAGES, MORE_VIEWS, PLAIN_VIEWS, VIEWS } from './testing/views';
import type { View } from './view';

const ASSETS = { script: 'about:blank', style: sourceStyle(path.join(__dirname, 'style.css')) };
/** 1280×1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 };
const ATTEMPT = '0'.repeat(32);

let browser: Browser;
let scripted: Page;
let plain: Page;

beforeAll(async () => {
  browser = await openChromium();
  [scripted, plain] = await Promise.all([newPage(true), newPage(false)]);
});

afterAll(() => browser.close());

async function newPage(javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ viewport: ZOOMED, forcedColors: 'active', javaScriptEnabled });
  const page = await context.newPage();
  await page.route('**', (route) => route.abort());
  return page;
}

const show = (page: Page, view: View, more_style = '') =>
  page.setContent(renderView(view, { ...ASSETS, style: ASSETS.style + more_style }, ATTEMPT));

type Sight = readonly [name: string, view: View, pageOf: () => Page];

const sightsOf = (views: Readonly<Record<string, View>>, pageOf: () => Page): readonly Sight[] =>
  Object.entries(views).map(([name, view]) => [name, view, pageOf]);

const SIGHTS = [
  ...sightsOf({ ...VIEWS, ...MORE_VIEWS }, () => scripted),
  ...sightsOf(PLAIN_VIEWS, () => plain),
];

describe.each(SIGHTS)('%s, with colours that the customer chose, at 400 %', (_, view, pageOf) => {
  test.each(LANGUAGES)('is whole, and nothing scrolls sideways, in %s', async (language) => {
    const page = pageOf();
    await show(page, inLanguage(view, language));
    expect(await page.evaluate(whatIsCutOff)).toEqual([]);
  });

  test('what can be pressed has an edge, and shows where the focus is', async () => {
    const page = pageOf();
    await show(page, view);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(whatIsNotSeen)).toEqual([]);
  });
});

describe.each(SIGHTS)('%s, of a shop with a name that nothing breaks', (_, view, pageOf) => {
  test.each(['W', 'i'])('is whole, and nothing scrolls sideways: %s', async (letter) => {
    const page = pageOf();
    await show(page, withLongNames(view, letter));
    expect(await page.evaluate(whatIsCutOff)).toEqual([]);
  });
});

/** Names of one word as long as there may be, of the shop and of all that is pressed or read. */
function withLongNames(view: View, letter: string): View {
  const name = letter.repeat(100);
  const { shown } = view.page;
  const wallets = view.wallets.map(({ icon }, at) => ({ name: `${at}${name}`, icon }));
  const named = shown && { ...shown, merchant_name: name, description: name, support_email: `${name}@shop.example` };
  return { ...view, wallets, wallet: name, page: { ...view.page, shown: named } };
}

describe.each([true, false])('pages of plans, with colours that the customer chose, at 400 % (scripts: %s)', (has_scripts) => {
  const page = () => (has_scripts ? scripted : plain);
  const assets = { ...ASSETS, plan_script: 'about:blank' };

  test.each(Object.entries(PLAN_VIEWS))('%s', async (_, view) => {
    for (const language of LANGUAGES) {
      await page().setContent(renderPlanView(planInLanguage(view, language), assets));
      expect(await page().evaluate(whatIsCutOff)).toEqual([]);
    }
    await page().keyboard.press('Tab');
    expect(await page().evaluate(whatIsNotSeen)).toEqual([]);
  });

  test('of a shop with names that nothing breaks', async () => {
    for (const letter of ['W', 'i']) {
      const name = letter.repeat(200);
      const named = { merchant_name: name, name, description: name, support_email: `${name}@shop.example`, amount: 999_999.99 };
      const subscribed = { ...named, subscription: atSubscription({}).page.shown.subscription };
      const terms = [named, subscribed, { ...named, is_active: false }];
      for (const view of terms.map((one) => atPlan(one))) {
        await page().setContent(renderPlanView(view, assets));
        expect(await page().evaluate(whatIsCutOff)).toEqual([]);
      }
    }
  });
});

test('faults would be found', async () => {
  await show(scripted, VIEWS.choose, 'h1{width:400px}button{border:0}:focus-visible{outline:0}');
  await scripted.keyboard.press('Tab');
  const cut_off = (await scripted.evaluate(whatIsCutOff)).join();
  expect(cut_off).toContain('scrolls sideways');
  expect(cut_off).toContain('<h1');
  const unseen = (await scripted.evaluate(whatIsNotSeen)).join();
  expect(unseen).toContain('the edge of <button');
  expect(unseen).toContain('the focus on <button');
});

test('the page shows by more than a colour how far a payment has come', async () => {
  await show(scripted, VIEWS.confirming);
  const steps = await scripted.evaluate(() =>
    [...document.querySelectorAll('.steps li')].map((step) => {
      const { content, borderTopWidth } = getComputedStyle(step, '::before');
      return [content, borderTopWidth, getComputedStyle(step).fontWeight].join();
    }),
  );
  expect(new Set(steps).size).toBe(3);
});

test.each(['qr', 'signing', 'confirming'] as const)('%s moves, and does not for those who asked for that', async (state) => {
  const running = async (reducedMotion: 'reduce' | 'no-preference') => {
    await scripted.emulateMedia({ reducedMotion });
    await show(scripted, VIEWS[state]);
    const breathing = () => document.getAnimations().filter((one) => 'animationName' in one && one.animationName === 'breathe');
    return (await scripted.evaluateHandle(breathing)).evaluate((found) => found.length);
  };
  expect(await running('no-preference')).toBe(1);
  expect(await running('reduce')).toBe(0);
});

test.each(LANGUAGES)('an amount and its currency stand on one line, whatever it is, in %s', async (language) => {
  for (const amount of [4.5, 1_234.56, 123_456.78, 99_999_999]) {
    const { page } = VIEWS.choose;
    const shown = page.shown && { ...page.shown, amount };
    await show(scripted, inLanguage({ ...VIEWS.choose, page: { ...page, shown } }, language));
    const lines = await scripted.evaluate(() => {
      const text = document.createRange();
      text.selectNodeContents(document.querySelector('.amount') as Element);
      return new Set([...text.getClientRects()].map(({ top }) => top)).size;
    });
    expect([amount, lines]).toEqual([amount, 1]);
    expect(await scripted.evaluate(whatIsCutOff)).toEqual([]);
  }
});

test('the simulator leaves room below its buttons, also once paying late is all that is left', async () => {
  const page = { ...VIEWS.expired.page, simulator: true };
  await show(scripted, { ...VIEWS.expired, page });
  const room = await scripted.evaluate(() => {
    const box = document.querySelector('.simulator') as HTMLDetailsElement;
    box.open = true;
    return box.getBoundingClientRect().bottom - (box.querySelector('button') as Element).getBoundingClientRect().bottom;
  });
  expect(room).toBeGreaterThanOrEqual(10);
});
