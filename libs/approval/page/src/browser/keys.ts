import {
  KitFault,
  MerchantParties,
  openKit,
  recoveryKit,
  renewedKit,
  ShareUnopened,
  unwrapShare,
  walletOfKit,
  wrapShare,
  type CeremonyPlan,
  type KeyShare,
  type MerchantResult,
  type Roster,
  type Signed,
  type SignedRoster,
} from '@tender/threshold/browser';
import type { Stage } from '../view';
import { Unopened, type KeyTools, type MadeWallet, type OpenShare } from './key-tools';
import type { SetupApi } from './setup-api';

/** A merchant’s wallet is the same address on every network; this is the one on which its money is real. */
const NETWORK = 'mainnet-beta';

const keyOf = (share: OpenShare): KeyShare => share as KeyShare;
const now = (): string => new Date().toISOString();

/** The ceremony with signer A, of which this browser is the two other parties. What it sends is sealed for A alone. */
async function makeWallet(
  api: SetupApi,
  merchant_id: string,
  tell: (stage: Stage) => void,
): Promise<MadeWallet> {
  const parties = new MerchantParties();
  try {
    const { session, plan, round1 } = await api.post<{
      readonly session: string;
      readonly plan: CeremonyPlan;
      readonly round1: Signed;
    }>('/passkey-wallet/begin', { identity_keys: parties.identityKeys() });
    const said = parties.round1(session, plan, merchant_id);
    const carry = <Answer>(step: string, body: object): Promise<Answer> =>
      api.post(`/passkey-wallet/${step}`, { session, ...body });
    tell('exchange');
    const { messages } = await carry<{ messages: Signed[] }>('round-2', { round1: said });
    const dealt = parties.round2(round1);
    const round3 = parties.round3(messages);
    const of_a = await carry<{ round3: Signed }>('round-3', { round2: dealt });
    tell('check');
    const made = parties.finish(of_a.round3);
    const finished = await carry<{ readonly roster: Roster; readonly roster_signature: string }>(
      'finish',
      { round3 },
    );
    const { roster } = parties.confirmed(made, finished);
    return madeWallet(session, roster, made);
  } finally {
    parties.close();
  }
}

function madeWallet(session: string, roster: Roster, made: MerchantResult): MadeWallet {
  const { C, R } = made.shares;
  const tender_identity_key = roster.parties.find(({ role }) => role === 'A')?.identity_key ?? '';
  return {
    wallet_address: roster.wallet,
    share_c: C,
    confirmation: { session, roster, signatures: made.signatures },
    pack: (passphrase) =>
      recoveryKit({
        ...{ network: NETWORK, share_c: C, share_r: R, passphrase, tender_identity_key },
        made_at: now(),
      }),
    erase() {
      C.erase();
      R.erase();
    },
  };
}

async function unseal(sealed: string, prf: Uint8Array, roster: object): Promise<OpenShare> {
  const { wallet, epoch } = (roster as SignedRoster).roster;
  try {
    return await unwrapShare(sealed, prf, { wallet, epoch });
  } catch (fault) {
    throw fault instanceof ShareUnopened ? new Unopened('not_sealed') : fault;
  }
}

async function ofKit<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (fault) {
    throw unopened(fault);
  }
}

function unopened(fault: unknown): unknown {
  if (!(fault instanceof KitFault)) return fault;
  const is_wrong = fault.code === 'passphrase_wrong' || fault.code === 'passphrase_too_short';
  return new Unopened(is_wrong ? 'wrong_passphrase' : 'damaged_kit');
}

export const tools: KeyTools = {
  makeWallet,
  seal: (share, prf) => wrapShare(keyOf(share), prf),
  unseal,
  openKit: (text, passphrase) =>
    ofKit(async () => {
      const { wallet, shares } = await openKit(text, passphrase);
      shares.R.erase();
      return { wallet_address: wallet, share_c: shares.C };
    }),
  walletOfKit(text) {
    try {
      return walletOfKit(text);
    } catch (fault) {
      throw unopened(fault);
    }
  },
  renewKit: (text, share, passphrase) =>
    ofKit(() => renewedKit(text, { share_c: keyOf(share), passphrase, made_at: now() })),
};
