import { randomBytes } from 'node:crypto';
import { base64, hasSigned } from '@tender/transactions';
import { CeremonyFault } from '../ceremony-fault';
import { custodyModelOf } from '../custody-model';
import { identityOf } from '../identity';
import type { Envelope, Round2, Signed } from '../messages';
import { rosterBytes } from '../roster-of';
import { rosterFault } from '../roster-fault';
import { signMessage } from '../signed-message';
import { signedTogether } from '../sign-together';
import { ownWallet, planOfOwn } from '../testing';
import { MerchantParties } from './merchant-parties';

const identity = identityOf(randomBytes(32));
const made = ownWallet(identity);
const { of_merchant, of_a, signed, plan } = made;

const faultOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof CeremonyFault) return error.message;
    throw error;
  }
  return 'nothing was thrown';
};
const begun = () => {
  const merchant = new MerchantParties();
  const of_own = planOfOwn(merchant, identity);
  return { merchant, plan: of_own };
};

it('makes a wallet that C and R sign for without Tender', () => {
  expect(rosterFault(signed)).toBeNull();
  expect(custodyModelOf(signed.roster)).toBe('self');
  const message = Buffer.from('leaves');
  const { C, R } = of_merchant.shares;
  const signature = signedTogether([C, R], message);
  expect(hasSigned(signed.roster.wallet, message, signature)).toBe(true);
  expect(of_a.share.wallet).toBe(C.wallet);
});

it('has fresh identities each time, and says whose the other one is', () => {
  const [one, other] = [new MerchantParties(), new MerchantParties()];
  const keys = [...Object.values(one.identityKeys()), ...Object.values(other.identityKeys())];
  expect(new Set(keys).size).toBe(4);
  expect(one.identityOfTender()).toBe('');
  one.round1('session-1', planOfOwn(one, identity), 'merchant-1');
  expect(one.identityOfTender()).toBe(identity.public_key);
});

it('tells the server no secret, and none of what C and R deal each other', () => {
  const merchant = new MerchantParties();
  const told: unknown[] = [];
  const spy = (name: 'round1' | 'round2' | 'round3'): void => {
    const method = merchant[name].bind(merchant) as (...given: unknown[]) => readonly Signed[];
    Object.assign(merchant, {
      [name]: (...given: unknown[]) => {
        const said = method(...given);
        told.push(...said);
        return said;
      },
    });
  };
  for (const name of ['round1', 'round2', 'round3'] as const) spy(name);
  const { shares } = ownWallet(identity, merchant).of_merchant;
  expect(told).toHaveLength(6);
  const dealt = (told as Signed[]).filter(({ message }) => message.kind === 'ceremony.share');
  expect(dealt.map(({ message: { from, to } }) => [from, to])).toEqual([['C', 'A'], ['R', 'A']]);
  const text = JSON.stringify(told);
  for (const { secret } of Object.values(shares)) {
    for (const form of ['hex', 'base64'] as const) {
      expect(text).not.toContain(Buffer.from(secret).toString(form));
    }
  }
});

it('takes part in no plan of another merchant, of other parties, or of a hosted wallet', () => {
  const { merchant, plan: own } = begun();
  const stranger = new MerchantParties();
  for (const other of [
    { ...own, merchant_id: 'merchant-2' },
    { ...own, mode: 'live' as const },
    planOfOwn(stranger, identity),
    null as never,
  ]) {
    expect(faultOf(() => merchant.round1('session-1', other, 'merchant-1'))).toBe('dkg_plan_invalid');
  }
  expect(faultOf(() => merchant.round1('session-1', own, 'merchant-1'))).toBe('nothing was thrown');
});

it('takes its rounds once and in order', () => {
  const { merchant, plan: own } = begun();
  expect(faultOf(() => merchant.round2({} as Signed))).toBe('dkg_out_of_order');
  merchant.round1('session-1', own, 'merchant-1');
  expect(faultOf(() => merchant.round1('session-1', own, 'merchant-1'))).toBe('dkg_out_of_order');
  merchant.close();
  expect(faultOf(() => merchant.round2({} as Signed))).toBe('dkg_out_of_order');
});

describe('a server that is hostile', () => {
  const edited = (body: object) => (said: Signed): Signed => ({
    ...said,
    message: { ...said.message, body: { ...(said.message.body as object), ...body } },
  });
  const lying = (body: object) => (said: Signed): Signed =>
    signMessage(identity, {
      ...said.message,
      body: { ...(said.message.body as object), ...body },
    } as Envelope);
  const cases: readonly [string, 1 | 2 | 3, (said: Signed) => Signed][] = [
    ['dkg_bad_signature', 1, edited({ seal_key: base64(randomBytes(32)) })],
    ['dkg_proof_invalid: A', 1, lying({ proof_of_knowledge: base64(randomBytes(64)) })],
    ['dkg_bad_signature', 2, edited({ sealed_share: base64(randomBytes(72)) })],
    ['dkg_share_invalid: A', 2, lying({ sealed_share: base64(randomBytes(72)) } as Partial<Round2>)],
    ['dkg_transcript_mismatch', 2, lying({ transcript: '00' })],
    ['dkg_group_key_mismatch: A', 3, lying({ group_key: identity.public_key })],
  ];
  it.each(cases)('is refused with %s in round %i', (fault, at, change) => {
    const merchant = new MerchantParties();
    const work = () =>
      ownWallet(identity, merchant, (said, round) => (round === at ? said.map(change) : said));
    expect(faultOf(work)).toBe(fault);
    expect(faultOf(() => merchant.round3([]))).toMatch(/^dkg_/);
  });

  it('cannot leave out a message', () => {
    const none = (said: readonly Signed[], round: number) => (round === 2 ? said.slice(1) : said);
    expect(faultOf(() => ownWallet(identity, new MerchantParties(), none))).toBe('dkg_incomplete');
    const { merchant, plan: own } = begun();
    merchant.round1('session-1', own, 'merchant-1');
    expect(faultOf(() => merchant.round3(null as never))).toBe('dkg_incomplete');
  });

  it('cannot end with another roster, or sign another one', () => {
    const merchant = new MerchantParties();
    const { roster, roster_signature } = of_a;
    const other = { ...roster, merchant_id: 'merchant-2' };
    const of_other = base64(identity.sign(rosterBytes(other)));
    for (const answer of [
      { roster: other, roster_signature: of_other },
      { roster, roster_signature: of_other },
      { roster, roster_signature: '' },
      { roster: null as never, roster_signature },
    ]) {
      expect(faultOf(() => merchant.confirmed(of_merchant, answer))).toBe('dkg_group_key_mismatch: A');
    }
    expect(plan.parties).toHaveLength(3);
  });
});
