import { describeMerchant } from '@tender/contracts';
import { InTurn, Unavailable, type Runtime, type Signers } from '@tender/eventing';
import { done, isoTime, refuse, type Mode, type Outcome } from '@tender/kernel';
import { mayBegin, type OpenWallet } from '@tender/treasury-domain';
import type { SignedRoster } from '@tender/threshold';
import { isAlarm, WALLET_NOT_GENUINE } from '../signing/alarm-codes';
import { systemOrigin } from '../system-origin';
import { holdCeremony } from './ceremony';
import { CeremonyFailure } from './ceremony-failure';
import { GenuineWallets } from './genuine-wallets';
import { operatingWallets } from './operating-wallet.aggregate';

/** Null: it is not there yet; asked again it may be. A merchant needs a wallet to settle to. */
export type Opened = Outcome<OpenWallet | null, 'merchant_not_found'>;

/** Each try starts a process for R: while the signers are silent, few are made. */
const SILENCE_MS = 5_000;

interface Wanted {
  readonly mode: Mode;
  readonly merchant_id: string;
}

/** The operating wallets of merchants: each is made at its first need (specification §2.9). */
export class OperatingWallets {
  /** One at a time: each costs all parties CPU, and who waits finds the wallet that the one before has made. */
  private readonly ceremonies = new InTurn();
  private readonly genuine = new GenuineWallets();
  private silent_until_ms = 0;

  constructor(private readonly runtime: Runtime) {}

  /** The wallet of a merchant; opens it where it is missing. */
  async open(mode: Mode, merchant_id: string): Promise<Opened> {
    const known = await this.inLog(mode, merchant_id);
    if (known === null) return this.begin({ mode, merchant_id });
    return done(this.genuineOrNull(mode, merchant_id, known));
  }

  /** The wallet of a merchant; null where none is open, or what the log says is not what its signers have signed. */
  async find(mode: Mode, merchant_id: string): Promise<OpenWallet | null> {
    const known = await this.inLog(mode, merchant_id);
    return known && this.genuineOrNull(mode, merchant_id, known);
  }

  private async inLog(mode: Mode, merchant_id: string): Promise<OpenWallet | null> {
    const known = await operatingWallets.load(this.runtime, mode, merchant_id);
    return known?.status === 'open' ? known : null;
  }

  private genuineOrNull(mode: Mode, merchant_id: string, wallet: OpenWallet): OpenWallet | null {
    const { signers, log, telemetry } = this.runtime;
    const fault = this.genuine.faultOf(signers, mode, { ...wallet, merchant_id });
    if (fault === null) return wallet;
    telemetry.count('tender_signer_alarms_total', { code: WALLET_NOT_GENUINE });
    const { address } = wallet;
    log.error({ mode, merchant_id, address, fault }, 'the log holds a wallet that its signers have not made');
    return null;
  }

  private async begin(wanted: Wanted): Promise<Opened> {
    const { mode, merchant_id } = wanted;
    const { signers, calls, random } = this.runtime;
    if (signers === null || this.isPausing()) return done(null);
    const asking = { mode, correlation_id: random.uuid() };
    const merchant = await calls.ask(describeMerchant, { merchant_id }, asking);
    if (merchant === null) return refuse('merchant_not_found');
    const { wallet: settlement_wallet } = merchant;
    // A roster is for good: without one, nothing could ever be settled.
    if (settlement_wallet === null) return done(null);
    return this.ceremonies.run('ceremony', async () => {
      const state = await operatingWallets.load(this.runtime, mode, merchant_id);
      if (state?.status === 'open') return done(this.genuineOrNull(mode, merchant_id, state));
      const waits = state !== null && !mayBegin(state, isoTime(this.runtime.clock.now()));
      if (waits || this.isPausing()) return done(null);
      return done(await this.madeOrNull(signers, wanted, settlement_wallet));
    });
  }

  private isPausing(): boolean {
    return this.runtime.clock.wall() < this.silent_until_ms;
  }

  private async madeOrNull(
    signers: Signers,
    wanted: Wanted,
    settlement_wallet: string,
  ): Promise<OpenWallet | null> {
    const { mode, merchant_id } = wanted;
    const { clock, log, random } = this.runtime;
    const session = random.bytes(16).toString('hex');
    try {
      const subject = { merchant_id, mode, settlement_wallet };
      const roster = await holdCeremony(signers, subject, session, () =>
        this.begun(wanted, session, settlement_wallet),
      );
      return await this.published(wanted, session, roster);
    } catch (error) {
      if (error instanceof CeremonyFailure) {
        await this.failed(wanted, session, error);
        return null;
      }
      if (!(error instanceof Unavailable)) throw error;
      this.silent_until_ms = clock.wall() + SILENCE_MS;
      log.warn({ mode, merchant_id, error: error.message }, 'no operating wallet is made: a signer is silent');
      return null;
    }
  }

  private async begun(
    { mode, merchant_id }: Wanted,
    session: string,
    settlement_wallet: string,
  ): Promise<void> {
    const handled = await operatingWallets.handle(
      this.runtime,
      mode,
      merchant_id,
      { type: 'BeginWallet', merchant_id, settlement_wallet, session, at: this.now() },
      systemOrigin(this.runtime, `begin:${session}`, merchant_id),
    );
    if (!handled.ok) throw new CeremonyFailure(handled.refusal, null, 'another process was faster');
  }

  /** The append decides: where another process has published, this ceremony is dropped. */
  private async published(
    { mode, merchant_id }: Wanted,
    session: string,
    roster: SignedRoster,
  ): Promise<OpenWallet | null> {
    const { wallet: address } = roster.roster;
    const handled = await operatingWallets.handle(
      this.runtime,
      mode,
      merchant_id,
      { type: 'OpenWalletOf', session, address, roster, at: this.now() },
      systemOrigin(this.runtime, `open:${session}`, merchant_id),
    );
    if (handled.ok) this.runtime.log.info({ mode, merchant_id, address }, 'an operating wallet is open');
    return this.find(mode, merchant_id);
  }

  private async failed(
    { mode, merchant_id }: Wanted,
    session: string,
    { code, culprit, message: reason }: CeremonyFailure,
  ): Promise<void> {
    const { log, telemetry } = this.runtime;
    log.error({ mode, merchant_id, code, culprit, reason }, 'a ceremony has made no operating wallet');
    if (isAlarm(code)) telemetry.count('tender_signer_alarms_total', { code });
    await operatingWallets.handle(
      this.runtime,
      mode,
      merchant_id,
      { type: 'FailCeremony', session, code, culprit: culprit === 'C' ? null : culprit, at: this.now() },
      systemOrigin(this.runtime, `fail:${session}`, merchant_id),
    );
  }

  private now(): string {
    return isoTime(this.runtime.clock.now());
  }
}
