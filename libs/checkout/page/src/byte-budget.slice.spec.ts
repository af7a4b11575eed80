import { brotliCompressSync, gunzipSync, brotliDecompressSync } from 'node:zlib';
import { ASSETS_PATH, loadAssets } from './built-assets';
import { renderView } from './render-page';
import { MORE_VIEWS, PLAIN_VIEWS, VIEWS } from './testing/views';

/** What the first visit may cost, compressed. */
const BUDGET = { script: 20_480, style: 4_096, page: 8_192 };

const assets = loadAssets();
const compressed = (text: string): number => brotliCompressSync(text).length;

test('the script that the build has made is within its budget, and its compressed forms are it', () => {
  expect(assets.scripts.size).toBe(1);
  for (const [name, { plain, br, gzip }] of assets.scripts) {
    expect(assets.script).toBe(ASSETS_PATH + name);
    expect(brotliDecompressSync(br)).toEqual(plain);
    expect(gunzipSync(gzip)).toEqual(plain);
    expect(br.length).toBeLessThanOrEqual(BUDGET.script);
  }
});

test('so is the style', () => expect(compressed(assets.style)).toBeLessThanOrEqual(BUDGET.style));

test.each(Object.entries({ ...VIEWS, ...MORE_VIEWS, ...PLAIN_VIEWS }))('so is the page, its style and data with it: %s', (_, view) => {
  expect(compressed(renderView(view, assets))).toBeLessThanOrEqual(BUDGET.page);
});

test('nothing names another origin to load from', () => {
  const loaded = /(?:src|srcset|@import|url\(|fetch\(|import\()\s*=?\s*["'(]*\s*(https?:)?\/\/[^"')\s]+/g;
  const html = Object.values(VIEWS).map((view) => renderView(view, assets)).join('');
  const script = [...assets.scripts.values()].map(({ plain }) => plain.toString()).join('');
  expect([...(html + script).matchAll(loaded)].map(([found]) => found)).toEqual([]);
});
