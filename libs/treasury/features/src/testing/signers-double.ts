import { randomBytes } from 'node:crypto';
import type { RecoveryParty, SignerLink, Signers } from '@tender/eventing';
import { identityOf, recoveryKeyPair, signMessage, type HostedHolder, type Role, type Signed } from '@tender/threshold';
import { base64 } from '@tender/transactions';
import { PartyDouble } from './party-double';

/**
 * What a hacked treasury does with a message that it carries: it has treasury's identity, so it signs what it has
 * changed. Answers what the party gets; null: as it is.
 */
export type Tampering = (role: Role, asked: Signed) => Signed['message']['body'] | null;

/** A, B, and an R for each ceremony, with treasury's own identity. */
export class SignersDouble implements Signers {
  readonly identity = identityOf(randomBytes(32));
  readonly recovery = recoveryKeyPair();
  readonly a = this.party('A');
  readonly b = this.party('B');
  readonly recoveries: PartyDouble[] = [];
  /** Of R, those that were ended. */
  ended = 0;
  tampers: Tampering = () => null;
  /** What comes in place of an answer. */
  answers: (role: Role, answer: Signed, asked: Signed) => Signed = (_, answer) => answer;

  readonly A = this.link(this.a);
  readonly B = this.link(this.b);
  readonly identity_keys = { A: this.a.identity.public_key, B: this.b.identity.public_key };

  async openRecovery(): Promise<RecoveryParty> {
    const party = this.party('R');
    this.recoveries.push(party);
    return {
      ...{ identity_key: party.identity.public_key, ...this.link(party) },
      end: async () => void (this.ended += 1),
    };
  }

  /** All are honest and answer again; what they hold stays. */
  reset(): void {
    this.tampers = () => null;
    this.answers = (_, answer) => answer;
    this.ended = 0;
    this.recoveries.length = 0;
    for (const party of [this.a, this.b]) {
      party.is_down = false;
      party.refuses.clear();
      party.wire.length = 0;
    }
  }

  /** All messages of all parties, as they were on the wire. */
  get wire(): string {
    return [this.a, this.b, ...this.recoveries].flatMap(({ wire }) => wire).join('\n');
  }

  private party(role: HostedHolder): PartyDouble {
    return new PartyDouble(role, {
      treasury_key: this.identity.public_key,
      recovery_key: base64(this.recovery.public_key),
    });
  }

  private link(party: PartyDouble): SignerLink {
    return {
      ask: async (message) => {
        const asked = message as Signed;
        const body = this.tampers(party.role, asked);
        const told = body === null ? asked : signMessage(this.identity, { ...asked.message, body });
        return this.answers(party.role, await party.ask(told), asked);
      },
    };
  }
}
