import { copied, type Store } from '@tender/page/browser';
import { readApproval, type Proof, type ReadRequest } from '@tender/threshold/approval';
import type { ApproveView } from '../approve/view';
import { handBack } from './hand-back';
import { hasPasskeys } from './passkeys';
import { cancelAsked, signChallenge } from './sign-challenge';

/** From the request in the address to what a passkey has signed for it. The API is asked nothing. */
export class Approving {
  constructor(
    private readonly store: Store<ApproveView>,
    private readonly openers: readonly string[],
  ) {}

  open(fragment: string): void {
    if (!hasPasskeys()) return this.store.set({ state: 'no passkeys' });
    const request = readApproval(fragment, Date.now());
    if (request === 'malformed') return this.store.set({ state: 'no request' });
    if (request === 'altered') return this.store.set({ state: 'altered' });
    this.store.set({ state: 'asked', request });
    const left_ms = request.expires_ms - Date.now();
    if (left_ms <= 0) return this.expire();
    setTimeout(() => this.expire(), left_ms);
  }

  async approve(): Promise<void> {
    const { request } = this.store.view;
    if (!request) return;
    // Where the device slept, the timer is late.
    const left_ms = request.expires_ms - Date.now();
    if (left_ms <= 0) return this.expire();
    this.store.set({ waiting: true, note: null });
    const proof = await signChallenge(request.challenge, left_ms).catch(() => null);
    // It has expired while the browser asked.
    if (this.store.view.state !== 'asked') return;
    if (proof) this.approved(request, proof);
    else this.store.set({ note: 'refused', waiting: false });
  }

  async copy(): Promise<void> {
    const { signature } = this.store.view;
    if (signature) this.store.set({ is_copied: await copied(signature) });
  }

  private approved({ challenge }: ReadRequest, proof: Proof): void {
    this.store.set({ state: 'approved', signature: JSON.stringify(proof), waiting: false });
    handBack(this.openers, { challenge, proof, taken: () => this.store.set({ is_taken: true }) });
  }

  private expire(): void {
    if (this.store.view.state !== 'asked') return;
    this.store.set({ state: 'expired', waiting: false, note: null });
    cancelAsked();
  }
}
