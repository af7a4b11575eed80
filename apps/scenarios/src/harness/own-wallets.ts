import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from './client';
import { Person } from './person';
import { eventually } from './eventually';
import { finalize } from './local-chain';
import type { RunningProgram } from './running-program';
import { exitWallet, type Told } from './tender';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

/** A merchant who signed up for a wallet of its own, which the set-up page makes. */
export interface SignedUp {
  readonly id: string;
  readonly email: string;
  readonly api: Client;
  /** To the set-up page, as the sign-up answered it. */
  readonly link: string;
}

export async function signUpForOwnWallet(
  program: RunningProgram,
  extra: object = {},
): Promise<SignedUp> {
  const email = `shop-${randomUUID()}@tender.test`;
  const { status, json, text } = await program.client().post('/api/v1/merchants', {
    ...{ name: 'Corner Shop', email, business_address: '5 High Street' },
    ...{ wallet_generation_method: 'mpc_passkey', ...extra },
  });
  if (status !== 201) throw new Error(`sign-up answered ${status}: ${text}`);
  return { id: json.id, email, api: program.client(json.api_key), link: json.passkey_setup_url };
}

/** For a person who is signed in: no link of an API key makes a wallet or a merchant’s first signing passkey. */
export async function newLink(
  program: RunningProgram,
  { email }: Pick<SignedUp, 'email'>,
): Promise<string> {
  const person = await Person.signIn(program, email);
  const { status, json, text } = await person.post('/api/v1/merchants/me/passkey-setup');
  if (status !== 201) throw new Error(`no link: ${status} ${text}`);
  return json.passkey_setup_url;
}

export const walletOf = async ({ api }: Pick<SignedUp, 'api'>): Promise<Json> =>
  (await api.get('/api/v1/merchants/me/wallet')).json;

export interface Leaving {
  /** Of the recovery kit's file. */
  readonly kit: string;
  readonly passphrase: string;
  readonly to: string;
  /** Where the two files go. */
  readonly folder: string;
  /** Stops Tender while the tool runs, and answers what lets it go on; left out: it runs. */
  readonly stop?: () => () => void;
}

/** All USDC of a wallet leaves by the exit tool. The wallet pays the fee: it is given SOL for that first. */
export async function leaveWithKit(
  { api }: Pick<SignedUp, 'api'>,
  address: string,
  { kit, passphrase, to, folder, stop }: Leaving,
): Promise<Told> {
  const { json } = await api.get('/api/v1/test_helpers/environment');
  const fees = { address, token: 'SOL', amount: 0.01 };
  await api.post('/api/v1/test_helpers/faucet', fees);
  const file = path.join(folder, 'kit.json');
  const secret = path.join(folder, 'passphrase');
  writeFileSync(file, kit);
  writeFileSync(secret, passphrase);
  const rpc_url = json.networks.test.rpc_url as string;
  let final: Promise<unknown> = Promise.resolve();
  const goOn = stop?.();
  try {
    const told = await exitWallet(
      [
        ...['--recovery', file, '--passphrase-file', secret, '--to', to, '--yes'],
        ...['--token', 'USDC', '--amount', 'all', '--rpc', rpc_url],
      ],
      (line) => {
        const [, signature] = /^Sends (\w{80,})/.exec(line) ?? [];
        if (!signature) return;
        final = eventually(() => finalize(rpc_url, signature), (is_known) => is_known);
      },
    );
    await final;
    return told;
  } finally {
    goOn?.();
  }
}
