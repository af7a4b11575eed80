/**
 * @landing embedded
 * @runs embedded
 * @program own
 * @needs chromium
 */
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '@tender/page/testing';
import { allRoutes, type Route } from '@tender/contracts';
import type { Client } from '../harness/client';
import { eventually } from '../harness/eventually';
import { Program } from '../harness/program';

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example: object }> };
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

const program = new Program();
let browser: Browser;
let page: Page;
let document: Document;
/** What the browser had to say against the page. */
const complaints: string[] = [];

beforeAll(async () => {
  [browser] = await Promise.all([openChromium(), program.start()]);
  page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (said) => void (said.type() === 'error' && complaints.push(said.text())));
  await page.goto(`${program.url}/reference#tag/payments/POST/api/v1/payments`);
  document = (await program.client().get('/openapi.json')).json as Document;
});
afterAll(async () => {
  await browser?.close();
  await program.stop();
});

/** What cannot succeed as it stands, though its refusal is documented. */
const REFUSED: Readonly<Record<string, number>> = {
  // The demo merchant has a payment that is pending: none is held, was paid back, or is disputed.
  capturePaymentIntent: 409,
  createRefund: 409,
  getRefund: 404,
  getDispute: 404,
  retrySettlement: 404,
  // The code is in the customer's mail.
  openDispute: 422,
  // Signed by the customer's wallet, and good for a minute or so.
  submitGaslessTransaction: 400,
  // No one has paid into the operating wallet of the demo merchant.
  sendBack: 400,
  // The code is in the mail, and passkeys are on devices.
  verifyEmailLogin: 401,
  verifyLogin: 401,
  limitOperatingWallet: 400,
  unfreezeOperatingWallet: 400,
  // Of a passkey: the examples name none.
  pinPasskey: 404,
  unpinPasskey: 404,
  // Named by the pages that lead there.
  readInboxMail: 404,
  readPageAsset: 404,
};

const routes: readonly Route[] = allRoutes;
/** Those of operators and of people who have signed in need another credential; forms and streams are for pages. */
const tried = routes.filter(
  ({ auth, form, stream }) => !['admin', 'session', 'setup'].includes(auth) && !form && !stream,
);

test('every example succeeds as it stands, with the key that the reference has chosen', async () => {
  const key = program.running.demo.api_key;
  expect(await page.content()).toContain(key);
  const client = program.client(key);
  const failed: Record<string, number> = {};
  for (const route of tried) {
    const status = await send(client, route);
    if (status >= 300) failed[route.id] = status;
  }
  expect(failed).toEqual(REFUSED);
});

async function send(client: Client, { method, path }: Route): Promise<number> {
  const { parameters, requestBody } = document.paths[path]?.[method.toLowerCase()] as Operation;
  const filled = parameters.reduce(
    (url, { name, example }) => url.replace(`{${name}}`, example ?? `{${name}}`),
    path,
  );
  const body = requestBody?.content['application/json']?.example;
  return (await client.send(method, filled, body)).status;
}

test('a payment is created by a click, and its body and answer can be read', async () => {
  await page.getByRole('button', { name: 'Test Request (post /api/v1/payments)' }).click();
  await untilRead('"description"');
  await page.getByRole('button', { name: /^Send/ }).first().click();
  await page.getByText('200 OK').waitFor();
  await untilRead('"status": "pending"');
  expect(complaints).toEqual([]);
});

/** Text of an editor that lies inside its frame, where eyes find it. */
async function untilRead(text: string): Promise<void> {
  const line = page.locator('.cm-line', { hasText: text }).first();
  await line.waitFor();
  const liesInside = () =>
    line.evaluate((element) => {
      const own = element.getBoundingClientRect();
      const frame = (element.closest('.cm-scroller') as Element).getBoundingClientRect();
      return own.top >= frame.top && own.left < frame.right && own.bottom <= frame.bottom + 1;
    });
  // The page may not have come to rest.
  await eventually(async () => [text, await liesInside()] as const, ([, is_inside]) => is_inside);
}
