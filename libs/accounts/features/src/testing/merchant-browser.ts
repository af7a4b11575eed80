import { randomBytes } from 'node:crypto';
import {
  CeremonyParticipant,
  identityOf,
  type CeremonyPlan,
  type CeremonyResult,
  type Roster,
  type Signed,
} from '@tender/threshold';
import type { StageAnswer } from '@tender/runtime/testing';

type Ask = (path: string, body: object) => Promise<StageAnswer>;
type Parties = Readonly<Record<'C' | 'R', CeremonyParticipant>>;

interface Begun {
  readonly session: string;
  readonly plan: CeremonyPlan;
  readonly round1: Signed;
}

/** The two parties of a passkey wallet that are in the merchant’s browser, and what they ask the API. */
export class MerchantBrowser {
  readonly identities = { C: identityOf(randomBytes(32)), R: identityOf(randomBytes(32)) };
  session = '';
  results!: Readonly<Record<'C' | 'R', CeremonyResult>>;
  private parties!: Parties;
  private from_a!: { readonly round1: Signed; dealt?: readonly Signed[] };
  private said: Readonly<Record<'C' | 'R', readonly Signed[]>> = { C: [], R: [] };

  constructor(private readonly ask: Ask) {}

  private post = async (step: string, body: object): Promise<StageAnswer> =>
    this.ask(`/api/v1/passkey-wallet/${step}`, body);

  async begin(): Promise<StageAnswer> {
    const identity_keys = { C: this.identities.C.public_key, R: this.identities.R.public_key };
    const answer = await this.post('begin', { identity_keys });
    if (answer.status !== 200) return answer;
    const { session, plan, round1 } = answer.json as Begun;
    const party = (role: 'C' | 'R') => {
      const identity = this.identities[role];
      return new CeremonyParticipant({ role, identity, session, plan, recovery_key: null });
    };
    this.parties = { C: party('C'), R: party('R') };
    this.session = session;
    this.from_a = { round1 };
    return answer;
  }

  async round2(): Promise<StageAnswer> {
    const { C, R } = this.parties;
    const own = [C.round1(), R.round1()];
    const answer = await this.post('round-2', { session: this.session, round1: own });
    if (answer.status !== 200) return answer;
    const all = [this.from_a.round1, ...own];
    this.said = { C: C.round2(all), R: R.round2(all) };
    this.from_a.dealt = (answer.json as { messages: readonly Signed[] }).messages;
    return answer;
  }

  async round3(): Promise<StageAnswer> {
    const dealt = [...this.said.C, ...this.said.R, ...(this.from_a.dealt ?? [])];
    const dealtTo = (role: string) => dealt.filter(({ message }) => message.to === role);
    const answer = await this.post('round-3', { session: this.session, round2: dealtTo('A') });
    if (answer.status !== 200) return answer;
    const own = { C: this.parties.C.round3(dealtTo('C')), R: this.parties.R.round3(dealtTo('R')) };
    this.said = { C: [own.C], R: [own.R] };
    const { round3 } = answer.json as { round3: Signed };
    const all = [round3, own.C, own.R];
    this.results = { C: this.parties.C.finish(all), R: this.parties.R.finish(all) };
    return answer;
  }

  finish(): Promise<StageAnswer> {
    const round3 = [...this.said.C, ...this.said.R];
    return this.post('finish', { session: this.session, round3 });
  }

  /** What the browser confirms; a test may say something else. */
  confirm(passkey_id: string, changes: object = {}): Promise<StageAnswer> {
    const { C, R } = this.results;
    return this.post('confirm', {
      ...{ session: this.session, roster: C.roster, passkey_id, sealed_share_c: 'c2VhbGVk' },
      signatures: { C: C.roster_signature, R: R.roster_signature },
      ...changes,
    });
  }

  get roster(): Roster {
    return this.results.C.roster;
  }

  /** All of it, but for the confirmation. */
  async agree(): Promise<StageAnswer> {
    for (const step of ['begin', 'round2', 'round3'] as const) {
      const { status, text } = await this[step]();
      if (status !== 200) throw new Error(`${step} was refused: ${text}`);
    }
    const finished = await this.finish();
    if (finished.status !== 200) throw new Error(`the end was refused: ${finished.text}`);
    return finished;
  }
}
