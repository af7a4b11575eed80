import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
}

/**
 * Signs the demo merchant up over the program's own API, once. The request is written down before it is
 * sent, so that a start that was cut off sends the same one again.
 */
export async function demoMerchant(
  data_dir: string,
  url: string,
  admin_token: string,
): Promise<Required<DemoMerchant>> {
  const file = path.join(data_dir, 'demo.json');
  const demo = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as DemoMerchant)
    : freshDemo();
  if (demo.api_key && demo.merchant_id) return demo as Required<DemoMerchant>;

  writeFileSync(file, JSON.stringify(demo, null, 2), { mode: 0o600 });
  const answer = await request(`${url}/api/v1/merchants`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': demo.idempotency_key,
      // As the operator, so that it uses up no stranger's hourly sign-ups.
      authorization: `Bearer ${admin_token}`,
    },
    body: JSON.stringify({
      name: 'Demo Store',
      email: demo.email,
      business_address: '1 Market Square, Lagos',
      wallet_generation_method: 'external',
      wallet_address: demo.wallet_address,
    }),
  });
  const body = (await answer.body.json()) as { id?: string; api_key?: string; error?: string };
  if (answer.statusCode !== 201 || !body.id || !body.api_key) {
    throw new Error(
      `The demo merchant could not sign up: ${answer.statusCode} ${body.error ?? ''}`,
    );
  }
  const known = { ...demo, merchant_id: body.id, api_key: body.api_key };
  writeFileSync(file, JSON.stringify(known, null, 2), { mode: 0o600 });
  return known;
}

function freshDemo(): DemoMerchant {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const address = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    email: `demo-${randomUUID().slice(0, 8)}@tender.test`,
    wallet_address: bs58.encode(address),
    wallet_secret: bs58.encode(Buffer.concat([seed, address])),
    idempotency_key: `demo-${randomUUID()}`,
  };
}
