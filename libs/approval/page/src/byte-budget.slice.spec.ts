import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressPage, LANGUAGES } from '@tender/page';
import { ASSETS_PATH, loadAssets } from './built-assets';
import { renderApprovePage, renderPage } from './render-page';

/**
 * What may come over the wire, compressed. The script that makes keys comes only when keys are made: most of it is the
 * arithmetic of the curve and the ciphers of the recovery kit.
 */
const BUDGET = { first_script: 20_480, keys_script: 32_768, style: 4_096, page: 6_144 };

const assets = loadAssets();
const PAGE = { api: 'https://api.merchant-payments.example', language: 'en' } as const;
const APPROVE_PAGE = { openers: [PAGE.api], language: 'en' } as const;
const sizeOf = (address: string): number =>
  assets.scripts.get(address.slice(ASSETS_PATH.length))?.br.length ?? Infinity;

test('a first visit of the set-up page loads one script, which is within its budget', () => {
  expect(sizeOf(assets.script)).toBeLessThanOrEqual(BUDGET.first_script);
  const html = renderPage(PAGE, assets);
  expect(html.match(/<script[^>]* src=/g)).toHaveLength(1);
  expect(html).not.toContain(assets.keys_script);
  const first = assets.scripts.get(assets.script.slice(ASSETS_PATH.length))?.plain.toString();
  // Nothing but the one that makes keys is loaded later, and only when it is asked for.
  expect(first).not.toMatch(/\bimport\s*["'{]|\bfrom\s*["']/);
  const loaded = [...(first ?? '').matchAll(/import\(\s*["'`]\.?\/?([^"'`]+)["'`]/g)].map(([, name]) => name);
  expect(loaded).toEqual([assets.keys_script.split('/').at(-1)]);
});

test('so is the script that makes keys', () => {
  expect(sizeOf(assets.keys_script)).toBeLessThanOrEqual(BUDGET.keys_script);
});

test('the page on which a request is approved loads one script, and nothing later', () => {
  expect(sizeOf(assets.approve_script)).toBeLessThanOrEqual(BUDGET.first_script);
  const html = renderApprovePage(APPROVE_PAGE, assets);
  expect(html.match(/<script[^>]* src=/g)).toHaveLength(1);
  expect(html).toContain(assets.approve_script);
  const name = assets.approve_script.slice(ASSETS_PATH.length);
  const script = assets.scripts.get(name)?.plain.toString();
  expect(script).not.toMatch(/\bimport\s*["'{(]|\bfrom\s*["']/);
  // All that is served is one of these.
  expect(assets.scripts.size).toBe(3);
});

test('so are the pages, in each language, and their style', () => {
  for (const language of LANGUAGES) {
    const both = [
      renderPage({ ...PAGE, language }, assets),
      renderApprovePage({ ...APPROVE_PAGE, language }, assets),
    ];
    for (const html of both) {
      expect(compressPage(html, 'br').length).toBeLessThanOrEqual(BUDGET.page);
    }
  }
  expect(brotliCompressSync(assets.style).length).toBeLessThanOrEqual(BUDGET.style);
});

test('compressed forms are the script', () => {
  for (const { plain, br, gzip } of assets.scripts.values()) {
    expect(brotliDecompressSync(br)).toEqual(plain);
    expect(gunzipSync(gzip)).toEqual(plain);
  }
});

test('nothing names another origin to load from', () => {
  const loaded = /(?:src|srcset|@import|url\(|fetch\(|import\()\s*=?\s*["'(]*\s*(https?:)?\/\/[^"')\s]+/g;
  const script = [...assets.scripts.values()].map(({ plain }) => plain.toString()).join('');
  const all = renderPage(PAGE, assets) + renderApprovePage(APPROVE_PAGE, assets) + script;
  expect([...all.matchAll(loaded)].map(([found]) => found)).toEqual([]);
});
