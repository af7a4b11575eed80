import { randomBytes } from 'node:crypto';
import {
  aggregate, FIRST_EPOCH, HOSTED_QUORUM, identityOf, signMessage, type CeremonyPlan, type Commit,
  type Envelope, type HostedRole, type Identity, type MessageKind, type Operation, type Role,
  type Roster, type Signed,
} from '@tender/threshold';
import { base64 } from '@tender/transactions';
import { codeOf } from './answer';
import { holdCeremony, type Carrier } from './hold-ceremony';
import { recoveryDouble, type RecoveryDouble } from './recovery-double';

export const freshSession = (): string => randomBytes(16).toString('hex');

/** Asks signers as treasury does, and whatever else it is made to ask. */
export class TreasuryDouble {
  readonly identity: Identity = identityOf(randomBytes(32));

  /** `recovery_key`: the one that the signers have pinned. */
  constructor(
    private readonly urlOf: (role: HostedRole) => string,
    private readonly recovery_key: string,
  ) {}

  /** The signed answer; its status where there was none. */
  async post(role: HostedRole, message: unknown, path = '/messages'): Promise<Signed | number> {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const answer = await fetch(`${this.urlOf(role)}${path}`, { method: 'POST', body });
    return answer.status === 200 ? ((await answer.json()) as Signed) : answer.status;
  }

  signed(
    to: Role,
    kind: string,
    body: unknown,
    session: string,
    changes: Partial<Envelope> = {},
  ): Signed {
    const about = { v: 1, kind, session, from: 'treasury', to, epoch: FIRST_EPOCH } as const;
    return signMessage(this.identity, { ...about, ...changes, body });
  }

  async ask(
    role: HostedRole,
    kind: MessageKind | (string & {}),
    body: unknown,
    session = freshSession(),
  ): Promise<Signed> {
    const answer = await this.post(role, this.signed(role, kind, body, session));
    if (typeof answer === 'number') throw new Error(`${role} answered ${kind} with ${answer}`);
    return answer;
  }

  /** Of a refusal its code, else what was answered. */
  async told(role: HostedRole, kind: string, body: unknown, session?: string): Promise<unknown> {
    return codeOf(await this.ask(role, kind, body, session));
  }

  /** Holds a ceremony; R is a party in this process unless another is given. Throws `CeremonyRefused`. */
  async openWallet(
    identity_keys: Readonly<Record<HostedRole, string>>,
    plan: Partial<CeremonyPlan> = {},
    recovery: RecoveryDouble = recoveryDouble(this.recovery_key),
    carry?: Carrier,
  ): Promise<Roster> {
    try {
      return await holdCeremony(this, { identity_keys, plan, recovery, ...(carry && { carry }) });
    } finally {
      await recovery.end();
    }
  }

  /** Proposes to one after the other: the commitments, or the first refusal. */
  async propose(
    op: Operation,
    message: Uint8Array,
    session = freshSession(),
    order: readonly HostedRole[] = HOSTED_QUORUM,
  ): Promise<readonly Signed[] | string> {
    const commits: Signed[] = [];
    for (const role of order) {
      const answer = await this.ask(role, 'propose', { op, message: base64(message) }, session);
      if (answer.message.kind === 'refused') return `${role}: ${String(codeOf(answer))}`;
      commits.push(answer);
    }
    return commits;
  }

  /** The wallet’s signature, or the first refusal. */
  async sign(
    roster: Roster,
    op: Operation,
    message: Uint8Array,
    session = freshSession(),
    order: readonly HostedRole[] = HOSTED_QUORUM,
  ): Promise<Uint8Array | string> {
    const commits = await this.propose(op, message, session, order);
    if (typeof commits === 'string') return commits;
    const shares: Record<string, string> = {};
    for (const role of order) {
      const answer = await this.ask(role, 'sign', { commits }, session);
      if (answer.message.kind === 'refused') return `${role}: ${String(codeOf(answer))}`;
      shares[role] = (answer.message.body as { share: string }).share;
    }
    const nonces = Object.fromEntries(
      commits.map(({ message: { from, body } }) => [from, body as Commit]),
    );
    return aggregate(roster, nonces, shares, message);
  }
}
