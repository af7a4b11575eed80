import { createHash } from 'node:crypto';
import { PAGE_DATA_ID } from './page-data';
import { policyOf, renderPage, renderTrouble, renderView } from './render-page';
import { PAYMENT, PLAIN_VIEWS, VIEWS } from './testing/views';
import type { View } from './view';

const ASSETS = { script: '/checkout/assets/main-1.js', style: 'p{color:red}' };
const { page } = VIEWS.shell;
const named = (merchant_name: string, description = '') =>
  renderPage({ ...page, shown: { ...PAYMENT, merchant_name, description } }, ASSETS);

test('what a shop calls itself and its goods stays text', () => {
  const html = named('</script><script>alert(1)</script>', '<img src=x onerror=alert(1)>');
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toContain('<img src=x');
  const [, data] = new RegExp(`id="${PAGE_DATA_ID}">(.*?)</script>`).exec(html) ?? [];
  expect(JSON.parse(data ?? '').shown.merchant_name).toBe('</script><script>alert(1)</script>');
});

test('what a shop calls itself and its goods turns no text around', () => {
  const html = named('Corner \u202EeeffoC', 'Two \u2067coffees\u202D');
  expect(html).toContain('<bdi>Corner eeffoC</bdi>');
  expect(html).toContain('<bdi>Two coffees</bdi>');
  expect(html).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
});

test('the policy lets in its own style and scripts of this origin, and nothing else', () => {
  const policy = policyOf(ASSETS);
  const hash = createHash('sha256').update(ASSETS.style).digest('base64');
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  // Without scripts a press is a form, which goes nowhere else.
  expect(policy).toContain("form-action 'self'");
  expect(named('Shop')).toContain(`<style>${ASSETS.style}</style>`);
});

test('the first screen says who is paid and how much, and has the code for browsers without scripts', () => {
  const html = named('Corner Coffee');
  expect(html).toContain('data-state="shell"');
  expect(html).toContain('$4.50');
  expect(html).toMatch(/<div class="unscripted">.*solana:.*<\/section>/s);
  expect(html).toContain('http-equiv="refresh"');
  expect(renderPage(VIEWS.confirmed.page, ASSETS)).not.toContain('http-equiv="refresh"');
});

describe('without scripts', () => {
  const plain = (view: View, attempt: string | null = null) => {
    const [, found] = /<div class="unscripted">(.*?)<\/section>/s.exec(renderView(view, ASSETS, attempt)) ?? [];
    return found ?? '';
  };
  const link = PLAIN_VIEWS['link without scripts'] as View;
  const details = PLAIN_VIEWS['details without scripts'] as View;

  test('a link begins its payment by a form, which names its attempt', () => {
    expect(plain(link, 'a1')).toMatch(/<form method="post">.*name="attempt" value="a1".*<button class="primary">/s);
    expect(plain({ ...link, interruption: VIEWS.busy.interruption }, 'a1')).toContain('value="a1"');
  });

  test('a payment whose shop wants details has a form and no code until it has them', () => {
    expect(plain(details)).toMatch(/<form method="post">.*name="email".*name="billing_country"/s);
    expect(plain(details)).not.toContain('solana:');
    expect(renderView(details, ASSETS)).not.toContain('http-equiv="refresh"');
  });

  test('the whole amount can be paid after too little came', () => {
    expect(plain(PLAIN_VIEWS['partial without scripts'] as View)).toContain('solana:');
  });

  test.each(['confirming', 'expired', 'late'] as const)('%s may change, and is asked for anew by a press', (state) => {
    expect(plain(VIEWS[state])).toContain('href>Look again now</a>');
  });

  test.each(['confirmed', 'failed', 'blocked', 'expired', 'late', 'not found', 'link closed'] as const)(
    '%s is an end: nothing to send, and no code',
    (state) => expect(plain(VIEWS[state], 'a1')).not.toMatch(/<form|solana:/),
  );
});

describe('trouble in place of a page', () => {
  const trouble = (status: number, retry_after: number | null = null, language: 'en' | 'fr' = 'en') =>
    renderTrouble({ status, retry_after, correlation_id: 'c-1', language }, ASSETS);

  test('says what happened, where the money is and when to come again, without a script', () => {
    const busy = trouble(503, 2);
    expect(busy).toContain('<h1 tabindex="-1">There is no answer right now');
    expect(busy).toContain('If you have paid, your payment goes on without this page.');
    expect(busy).toContain('Try again in 2 s.');
    expect(busy).toContain('href>Try again</a>');
    expect(busy).toContain(`<style>${ASSETS.style}</style>`);
    expect(busy).not.toContain('<script');
    expect(trouble(429, 1_700, 'fr')).toContain('Réessayez dans 29 min.');
  });

  test('what is not there is not tried again; of anything else there is a number', () => {
    expect(trouble(404)).toContain('There is nothing to pay here');
    expect(trouble(405)).not.toMatch(/Try again|c-1/);
    expect(trouble(413)).toMatch(/Something went wrong.*tell the shop this number.*c-1.*Try again<\/a>/s);
  });
});
