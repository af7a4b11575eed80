import { ForgetOld } from '@tender/eventing';
import { forgetSessions } from './session.record';

/** Sessions that are over are kept this long (business time), for those who look into a complaint. */
export const SESSIONS_KEPT_MS = 30 * 24 * 60 * 60_000;

/** Forgets the sessions that were over long ago, also of merchants who never come back. */
export class ForgetSessions extends ForgetOld {
  readonly name = 'accounts.forget-sessions';

  protected async forget(now: number): Promise<void> {
    await forgetSessions(this.runtime.readModels, now - SESSIONS_KEPT_MS);
  }
}
