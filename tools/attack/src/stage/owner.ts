import { SoftPasskey, type ProofChanges } from '@tender/signer-domain/testing';
import type { HostedRole, Proof, ProvenOperation } from '@tender/threshold';
import type { Target } from './target';

/** The merchant of a wallet, with a passkey that both signers know. */
export class Owner {
  private constructor(
    readonly target: Target,
    readonly passkey: SoftPasskey,
  ) {}

  /** Of a wallet of its own, which both signers have frozen. */
  static async of(target: Target): Promise<Owner> {
    const owner = new Owner(await target.another(), new SoftPasskey());
    for (const role of ['A', 'B'] as const) {
      const words = [await owner.pin(role), await owner.freeze(role)];
      if (words.join() !== 'answered passkey.pin,answered freeze') throw new Error(words.join());
    }
    return owner;
  }

  get unfreezing(): Extract<ProvenOperation, { type: 'unfreeze_operating_wallet' }> {
    const { merchant_id, mode, wallet } = this.target.roster;
    return { type: 'unfreeze_operating_wallet', merchant_id, mode, wallet };
  }

  limiting(per_day_cents: number): Extract<ProvenOperation, { type: 'set_operating_wallet_limits' }> {
    return { ...this.unfreezing, type: 'set_operating_wallet_limits', per_day_cents };
  }

  pinning({ credential_id, public_key }: SoftPasskey): ProvenOperation {
    const { merchant_id } = this.target.roster;
    return { type: 'pin_passkey', merchant_id, credential_id, public_key };
  }

  unpinning({ credential_id }: SoftPasskey): ProvenOperation {
    return { type: 'unpin_passkey', merchant_id: this.target.roster.merchant_id, credential_id };
  }

  allowing(operation: ProvenOperation, changes: ProofChanges = {}): Proof {
    return this.passkey.allowing(operation, Date.now(), changes);
  }

  freeze(role: HostedRole): Promise<string> {
    return this.target.ask(role, 'freeze', { wallet: this.target.wallet, reason: 'an attack' });
  }

  unfreeze(role: HostedRole, proof: unknown = this.allowing(this.unfreezing)): Promise<string> {
    return this.target.ask(role, 'unfreeze', { wallet: this.target.wallet, proof });
  }

  limit(role: HostedRole, day_limit_cents: unknown, proof: unknown): Promise<string> {
    return this.target.ask(role, 'limit', { wallet: this.target.wallet, day_limit_cents, proof });
  }

  pin(role: HostedRole, passkey = this.passkey, proof: unknown = null): Promise<string> {
    const { merchant_id } = this.target.roster;
    const { credential_id, public_key } = passkey;
    return this.target.ask(role, 'passkey.pin', { merchant_id, credential_id, public_key, proof });
  }

  unpin(role: HostedRole, { credential_id }: Pick<SoftPasskey, 'credential_id'>, proof: unknown): Promise<string> {
    const { merchant_id } = this.target.roster;
    return this.target.ask(role, 'passkey.unpin', { merchant_id, credential_id, proof });
  }
}

const owners = new WeakMap<Target, Promise<Owner>>();

/** The same for all attacks of a run that leave its wallet frozen. */
export function ownerOf(target: Target): Promise<Owner> {
  const owner = owners.get(target) ?? Owner.of(target);
  owners.set(target, owner);
  return owner;
}
