// npm run measure-page -- <address>: how long a customer waits for the largest part of a page (LCP), on slow 4G (1.6 Mbit/s
// down, 750 kbit/s up, 150 ms) with the CPU slowed four times, each time without a cache. The median of five.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isNode24, node24 } from './node24.mjs';
import { prepare } from './prepare.mjs';
import { fail, root, run, say } from './terminal.mjs';

const TIMES = 5;
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
const CPU_SLOWDOWN = 4;

const [address] = process.argv.slice(2);
if (!address) fail('which page?', 'For example: npm run measure-page -- http://127.0.0.1:8080/p/pay_test_…');
await prepare();
if (isNode24) await measure();
else process.exit(await run(node24(), [import.meta.filename, address]));

async function measure() {
  const require = createRequire(import.meta.url);
  const { openChromium } = require(join(root, 'libs/page/dist/testing/chromium.js'));
  const browser = await openChromium();
  const found = [];
  for (let time = 0; time < TIMES; time += 1) found.push(await visit(browser));
  await browser.close();
  const median = [...found].sort((one, other) => one.lcp_ms - other.lcp_ms)[Math.floor(TIMES / 2)];
  say(found.map(({ lcp_ms }) => `${Math.round(lcp_ms)} ms`).join(', '));
  say(`LCP ${Math.round(median.lcp_ms)} ms, layout shift ${median.shift.toFixed(3)}, ${median.bytes} bytes`);
}

async function visit(browser) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.addInitScript(() => {
    window.seen = { lcp_ms: 0, shift: 0 };
    const observe = (type, take) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    observe('largest-contentful-paint', (entry) => (window.seen.lcp_ms = entry.startTime));
    observe('layout-shift', (entry) => (window.seen.shift += entry.value));
  });
  await page.goto(address);
  // The page has come to life, and what it draws then is drawn.
  await page.waitForFunction(() => document.querySelector('main')?.dataset.state !== 'shell');
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const seen = await page.evaluate(() => window.seen);
  await context.close();
  return { ...seen, bytes };
}
