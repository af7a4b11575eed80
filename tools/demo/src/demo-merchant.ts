import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import bs58 from 'bs58';
import { request } from 'undici';

/** A merchant for new users of the program: kept with its throw-away wallet in `DATA_DIR/demo.json` (0600). */
export interface DemoMerchant {
  readonly email: string;
  readonly wallet_address: string;
  readonly wallet_secret: string;
  readonly idempotency_key: string;
  readonly merchant_id?: string;
  readonly api_key?: string;
  readonly link_code?: string;
}
type Signed = DemoMerchant & Required<Pick<DemoMerchant, 'merchant_id' | 'api_key'>>;

const FILE = 'demo.json';

/** What is kept of the demo merchant cannot be read; the message says what to do. */
export class DemoFault extends Error {
  override readonly name = 'DemoFault';
}

/** The test key of a demo merchant that has signed up; null: there is none on this folder. Throws `DemoFault`. */
export function knownDemoKey(data_dir: string): string | null {
  return read(path.join(data_dir, FILE))?.api_key ?? null;
}

/**
 * Signs the demo merchant up over the program's own API, once. The request is written down before it is
 * sent, so that a start that was cut off sends the same one again. Throws `DemoFault`.
 */
export async function demoMerchant(
  data_dir: string,
  url: string,
  admin_token: string,
): Promise<Signed> {
  const file = path.join(data_dir, FILE);
  const demo = read(file) ?? freshDemo();
  if (demo.api_key && demo.merchant_id) return demo as Signed;

  keep(file, demo);
  // As the operator, so that it uses up no stranger's hourly sign-ups.
  const answer = await post(`${url}/api/v1/merchants`, admin_token, demo.idempotency_key, {
    name: 'Demo Store',
    email: demo.email,
    business_address: '1 Market Square, Lagos',
    wallet_generation_method: 'external',
    wallet_address: demo.wallet_address,
  });
  const { id, api_key } = answer;
  if (answer.status !== 201 || !id || !api_key) {
    throw new Error(
      `The demo merchant could not sign up: ${answer.status} ${answer.error ?? ''}`,
    );
  }
  const known = { ...demo, merchant_id: id, api_key };
  keep(file, known);
  return known;
}

/**
 * The address of a link by which anybody pays the demo merchant, in test mode as its key: made once, and the same after
 * each start. Null where payments are not taken yet; the next start asks again.
 */
export async function demoLink(data_dir: string, url: string): Promise<string | null> {
  const file = path.join(data_dir, FILE);
  const demo = read(file) as Signed;
  if (demo.link_code) return `${url}/l/${demo.link_code}`;
  const order = { amount: 10.5, token: 'USDC', description: 'A first look at the checkout' };
  const key = `${demo.idempotency_key}-link`;
  const { link_code } = await post(`${url}/api/v1/payment-links`, demo.api_key, key, order);
  if (!link_code) return null;
  keep(file, { ...demo, link_code });
  return `${url}/l/${link_code}`;
}

interface Said {
  readonly id?: string;
  readonly api_key?: string;
  readonly link_code?: string;
  readonly error?: string;
}

async function post(
  address: string,
  token: string,
  idempotency_key: string,
  body: object,
): Promise<Said & { readonly status: number }> {
  const answer = await request(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': idempotency_key,
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(body),
  });
  return { ...((await answer.body.json()) as Said), status: answer.statusCode };
}

/** Null: there is none yet. */
function read(file: string): DemoMerchant | null {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoMerchant;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DemoFault(
      `${file}, which keeps the demo merchant, is empty or damaged: delete it, and the next start signs another one up.`,
    );
  }
}

/** Whole or not at all: a start may be cut off at any moment. */
function keep(file: string, demo: DemoMerchant): void {
  const partial = `${file}.partial`;
  writeFileSync(partial, JSON.stringify(demo, null, 2), { mode: 0o600 });
  renameSync(partial, file);
}

const freshDemo = (): DemoMerchant => ({
  email: `demo-${randomUUID().slice(0, 8)}@tender.test`,
  ...freshWallet(),
  idempotency_key: `demo-${randomUUID()}`,
});

/** A wallet that holds nothing yet. */
export function freshWallet() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const address = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    wallet_address: bs58.encode(address),
    wallet_secret: bs58.encode(Buffer.concat([seed, address])),
  };
}
