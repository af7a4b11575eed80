import { createHash } from 'node:crypto';
import { PAGE_DATA_ID } from './page-data';
import { policyOf, renderPage } from './render-page';
import { PAYMENT, VIEWS } from './testing/views';
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
