import { MerchantParties, type CeremonyPlan, type MerchantResult, type Signed } from '@tender/threshold/browser';
import type { StageAnswer } from '@tender/runtime/testing';

type Ask = (path: string, body: object) => Promise<StageAnswer>;

interface Begun {
  readonly session: string;
  readonly plan: CeremonyPlan;
  readonly round1: Signed;
}

/** The two parties of a passkey wallet that are in the merchant’s browser, and what its page asks the API. */
export class MerchantBrowser {
  session = '';
  result!: MerchantResult;
  private readonly parties = new MerchantParties();
  private said: readonly Signed[] = [];
  private heard: Begun | null = null;
  private dealt: readonly Signed[] = [];

  constructor(
    private readonly merchant_id: string,
    private readonly ask: Ask,
  ) {}

  async begin(): Promise<StageAnswer> {
    const answer = await this.post('begin', { identity_keys: this.parties.identityKeys() });
    if (answer.status !== 200) return answer;
    const { session, plan } = (this.heard = answer.json as Begun);
    this.session = session;
    this.said = this.parties.round1(session, plan, this.merchant_id);
    return answer;
  }

  async round2(): Promise<StageAnswer> {
    const answer = await this.post('round-2', { session: this.session, round1: this.said });
    if (answer.status !== 200) return answer;
    this.said = this.parties.round2((this.heard as Begun).round1);
    this.dealt = (answer.json as { readonly messages: readonly Signed[] }).messages;
    return answer;
  }

  async round3(): Promise<StageAnswer> {
    const answer = await this.post('round-3', { session: this.session, round2: this.said });
    if (answer.status !== 200) return answer;
    this.said = this.parties.round3(this.dealt);
    this.result = this.parties.finish((answer.json as { readonly round3: Signed }).round3);
    return answer;
  }

  finish(): Promise<StageAnswer> {
    return this.post('finish', { session: this.session, round3: this.said });
  }

  /** What the browser confirms; a test may say something else. */
  confirm(passkey_id: string, changes: object = {}): Promise<StageAnswer> {
    const { roster, signatures } = this.result;
    const said = { session: this.session, roster, signatures, passkey_id };
    return this.post('confirm', { ...said, sealed_share_c: 'c2VhbGVk', ...changes });
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

  private post(step: string, body: object): Promise<StageAnswer> {
    return this.ask(`/api/v1/passkey-wallet/${step}`, body);
  }
}
