import { randomBytes } from 'node:crypto';
import { openSigners } from '@tender/adapter-signers';
import type { Battlefield } from '@tender/attack/stage';
import {
  aggregate, FIRST_EPOCH, HOSTED_QUORUM, intentDigest, messageFault, type HostedRole,
  type Operation, type Roster, type Signed, type SignerMessages,
} from '@tender/threshold';
import { base64 } from '@tender/transactions';

type Kind = 'propose' | 'sign';
type Answer<Of extends Kind> = SignerMessages[Of]['answers'];
type OfBoth<Value> = Record<HostedRole, Value>;

/** The signers as treasury asks them: both at once over its own links, and only a genuine answer is believed. */
export class AskedSigners {
  private readonly links: ReturnType<typeof openSigners>;

  constructor(private readonly field: Battlefield) {
    this.links = openSigners({
      urls: { A: field.signer('A').url, B: field.signer('B').url },
      identity_keys: field.identity_keys,
      // The field signs what is asked.
      identity_seed: randomBytes(32),
      ...{ certificate: null, recovery_main: '', recovery_key: field.recovery_key },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
  }

  /** The wallet’s signature, which `aggregate` has verified. */
  async sign(roster: Roster, op: Operation, message: Uint8Array): Promise<Uint8Array> {
    const session = randomBytes(16).toString('hex');
    const askBoth = (kind: Kind, body: unknown): Promise<OfBoth<Signed>> =>
      this.askBoth(kind, body, session, intentDigest(op, message));
    const commits = await askBoth('propose', { op, message: base64(message) });
    const shares = await askBoth('sign', { commits: [commits.A, commits.B] });
    return aggregate(
      roster,
      { A: bodyOf<'propose'>(commits.A), B: bodyOf<'propose'>(commits.B) },
      { A: bodyOf<'sign'>(shares.A).share, B: bodyOf<'sign'>(shares.B).share },
      message,
    );
  }

  close(): Promise<void> {
    return this.links.close();
  }

  private async askBoth(
    kind: Kind,
    body: unknown,
    session: string,
    intent_digest: string,
  ): Promise<OfBoth<Signed>> {
    const [A, B] = await Promise.all(
      HOSTED_QUORUM.map(async (role) => {
        const ask = this.field.treasury.signed(role, kind, body, session);
        const answer = (await this.links[role].ask(ask)) as Signed;
        const to = kind === 'propose' ? 'all' : 'treasury';
        const from = { public_key: this.field.identity_keys[role], from: role };
        const fault = messageFault(answer, { ...from, kind, session, to, epoch: FIRST_EPOCH });
        if (fault === null && bodyOf<Kind>(answer).intent_digest === intent_digest) return answer;
        throw new Error(`${role} does not ${kind}: ${JSON.stringify(answer.message.body)}`);
      }),
    );
    return { A, B } as OfBoth<Signed>;
  }
}

const bodyOf = <Of extends Kind>({ message }: Signed): Answer<Of> => message.body as Answer<Of>;
