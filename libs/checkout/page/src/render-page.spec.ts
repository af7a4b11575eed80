import { createHash } from 'node:crypto';
import { PAGE_DATA_ID } from './page-data';
import { policyOf, renderPage, renderView } from './render-page';
import { PAYMENT, PLAIN_VIEWS, VIEWS } from './testing/views';
import type { View } from './view';
import { languageOf } from './words/words';

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
  expect(html).toMatch(/<noscript>.*solana:.*<\/noscript>/s);
  expect(html).toContain('http-equiv="refresh"');
  expect(renderPage(VIEWS.confirmed.page, ASSETS)).not.toContain('http-equiv="refresh"');
});

describe('without scripts', () => {
  const plain = (view: View, attempt: string | null = null) => {
    const [, found] = /<noscript>(?!<meta)(.*?)<\/noscript>/s.exec(renderView(view, ASSETS, attempt)) ?? [];
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

  test.each(['confirmed', 'failed', 'blocked', 'expired', 'late', 'not found', 'link closed'] as const)(
    '%s is an end: nothing to send, and no code',
    (state) => expect(plain(VIEWS[state], 'a1')).not.toMatch(/<form|solana:/),
  );
});

test.each([
  [undefined, undefined, 'en'],
  [undefined, 'fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
  [undefined, 'de-DE, fr;q=0.5', 'fr'],
  [undefined, 'de', 'en'],
  ['fr', 'en-GB', 'fr'],
  ['constructor', 'en-GB', 'en'],
])('?lang=%s and Accept-Language: %s speak %s', (asked, accepted, language) => {
  expect(languageOf(asked, accepted)).toBe(language);
});
