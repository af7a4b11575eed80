import {
  KitFault,
  MerchantParties,
  openKit,
  recoveryKit,
  unwrapShare,
  wrapShare,
  type CeremonyPlan,
  type KeyShare,
  type MerchantResult,
  type Roster,
  type Signed,
  type SignedRoster,
} from '@tender/threshold/browser';
import type { Stage } from '../view';
import { KitUnopened, type KeyTools, type MadeWallet, type OpenShare } from './key-tools';
import type { SetupApi } from './setup-api';

/** A merchant’s wallet is the same address on every network; this is the one on which its money is real. */
const NETWORK = 'mainnet-beta';

const opaque = (share: KeyShare): OpenShare => share as unknown as OpenShare;
const keyOf = (share: OpenShare): KeyShare => share as unknown as KeyShare;

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

const madeWallet = (session: string, roster: Roster, made: MerchantResult): MadeWallet => ({
  wallet_address: roster.wallet,
  share_c: opaque(made.shares.C),
  confirmation: { session, roster, signatures: made.signatures },
  pack: (passphrase) => pack(made, passphrase),
});

const pack = ({ shares: { C, R } }: MerchantResult, passphrase: string): Promise<string> =>
  recoveryKit({
    ...{ network: NETWORK, share_c: C, share_r: R, passphrase },
    made_at: new Date().toISOString(),
  });

async function unseal(sealed: string, prf: Uint8Array, roster: object): Promise<OpenShare> {
  const { wallet, epoch } = (roster as SignedRoster).roster;
  return opaque(await unwrapShare(sealed, prf, { wallet, epoch }));
}

async function open(text: string, passphrase: string) {
  try {
    const { wallet, shares } = await openKit(text, passphrase);
    return { wallet_address: wallet, share_c: opaque(shares.C) };
  } catch (fault) {
    if (!(fault instanceof KitFault)) throw fault;
    const is_wrong = fault.code === 'passphrase_wrong' || fault.code === 'passphrase_too_short';
    throw new KitUnopened(is_wrong ? 'wrong_passphrase' : 'damaged_kit');
  }
}

export const tools: KeyTools = {
  makeWallet,
  seal: (share, prf) => wrapShare(keyOf(share), prf),
  unseal,
  openKit: open,
};
