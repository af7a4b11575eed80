import { flagIds, newId, type ScreeningRequest, type ScreeningVerdict } from '@tender/contracts';
import type { Asked, Position, Runtime } from '@tender/eventing';
import {
  actionOf,
  assess,
  fixedScoreOf,
  severityOf,
  type Assessment,
  type FlagTerms,
  type ListKind,
  type Norm,
  type Observed,
  type Reason,
} from '@tender/fraud-domain';
import { done, fromUnits, isoTime, refuse, timeOf, type Mode, type Outcome } from '@tender/kernel';
import { flag } from '../flags/flag.aggregate';
import { payerSubject } from '../forget-customer/payer-subject';
import { hasNeverPaid } from './paying-wallet.record';
import { ScreeningMemory } from './screening-memory';
import { ScreeningWriter } from './screening-writer.worker';
import { screeningKey, storedScore, type ScreeningRow } from './screening.record';
import { valueHash } from './value-hash';

/** A request, and what of it counts at its stage. */
interface Screened {
  readonly request: ScreeningRequest;
  readonly mode: Mode;
  readonly row: Omit<ScreeningRow, 'score' | 'fraud_score' | 'action' | 'sanctions_list'>;
}

const SANCTIONS_SCORE = 100;

/** Screens payments in this replica (specification §2.11). */
export class Screener {
  readonly memory: ScreeningMemory;
  readonly writer: ScreeningWriter;
  private readonly newest: Record<Mode, Position | null> = { test: null, live: null };

  constructor(private readonly runtime: Runtime) {
    const { readModels, log, random } = runtime;
    this.writer = new ScreeningWriter(readModels, log, random.uuid());
    this.memory = new ScreeningMemory(runtime, this.writer.writer);
    runtime.telemetry.watch('tender_sanctions_list_age_seconds', () => this.listAge());
  }

  /** What is flagged is in the log before this resolves; what is not costs neither a query nor an append. */
  async screen(
    request: ScreeningRequest,
    asked: Asked & { readonly mode: Mode },
  ): Promise<Outcome<ScreeningVerdict, 'screening_unavailable'>> {
    const ready = this.memory.ready();
    if (ready) await ready;
    const { sanctions } = this.memory;
    const asks_sanctions = request.stage !== 'submit';
    if (asks_sanctions && asked.mode === 'live' && sanctions.age() !== 'fresh') {
      return refuse('screening_unavailable');
    }
    const screened = this.read(request, asked.mode);
    // Before anything is awaited: of those that come at once each counts for the others.
    this.memory.note(screened.row);
    const norm = await this.memory.norms.of(screened.row);
    const assessed = await this.assess(screened, norm);
    const hit = asks_sanctions ? this.sanctionOf(request) : null;
    const sanctions_list = asks_sanctions ? (sanctions.list()?.list_id ?? null) : null;
    const score = hit ? SANCTIONS_SCORE : assessed.score;
    const action = actionOf(score);
    const reasons = hit ? [hit, ...assessed.reasons] : assessed.reasons;

    const row = { ...screened.row, score, fraud_score: assessed.score, action, sanctions_list };
    if (request.stage === 'create' && action !== 'block') {
      norm.add(row.payment_id, BigInt(row.amount_usd_cents));
    }
    if (action !== 'pass') await this.raise(screened, { score, reasons }, action, asked);
    this.writer.add(row);
    return done({ score, action, reasons: reasons.map(({ code }) => code) });
  }

  private listAge(): readonly { readonly value: number; readonly labels: object }[] {
    const list = this.memory.sanctions.list();
    if (list === null) return [];
    return [{ value: (this.runtime.clock.wall() - timeOf(list.as_of)) / 1000, labels: {} }];
  }

  /** Where in the log this replica’s newest flag of the mode is: lists that are read here show it. */
  raisedAt(mode: Mode): Position | null {
    return this.newest[mode];
  }

  raised(mode: Mode, position: Position | null): void {
    if (position !== null) this.newest[mode] = position;
  }

  async close(): Promise<void> {
    await this.memory.close();
    await this.writer.flush();
  }

  /** The address of a merchant’s server is looked up on its block list and counts nowhere. */
  private read(request: ScreeningRequest, mode: Mode): Screened {
    const { stage, payment, customer_wallet, customer_email, client_address } = request;
    const is_customers = stage !== 'create' || request.asked_by === 'customer';
    const { id: payment_id, merchant_id } = payment;
    const row = {
      ...{ mode, merchant_id, payment_id, stage, customer_wallet },
      ip_hash: is_customers ? this.hashOf('ip', client_address) : null,
      email_hash: this.hashOf('email', customer_email),
      amount_usd_cents: request.amount_usd_cents,
      at_ms: this.runtime.clock.now(),
    };
    return { request, mode, row };
  }

  private hashOf(kind: ListKind, value: string | null): string | null {
    return value === null ? null : valueHash(this.runtime.keyRing, kind, value);
  }

  /** Hashed for it only where anything is listed: most lists are empty, and a hash costs more than the look-up. */
  private isListed(kind: ListKind, { request, row }: Screened): boolean {
    const list = this.memory.lists[kind];
    if (list.size === 0) return false;
    const { customer_wallet, customer_email, client_address } = request;
    const values = { wallet: customer_wallet, ip: client_address, email: customer_email };
    const known = { wallet: null, ip: row.ip_hash, email: row.email_hash };
    const hash = known[kind] ?? this.hashOf(kind, values[kind]);
    return hash !== null && list.has(hash);
  }

  /** At `submit` what the rules said before counts on; a wallet that is named there is looked at again. */
  private async assess(screened: Screened, norm: Norm): Promise<Assessment> {
    const { stage, customer_wallet } = screened.request;
    const { payment_id } = screened.row;
    if (stage !== 'submit') return assess(await this.observe(screened, norm), this.memory.rules);
    await this.writer.flush();
    const stored = await storedScore(this.runtime.readModels, payment_id, customer_wallet);
    const again =
      customer_wallet === null
        ? { score: 0, reasons: [] }
        : assess(await this.observe(screened, norm), this.memory.rules);
    if (again.score >= stored) return again;
    return { score: stored, reasons: [ofStoredScore(stored), ...again.reasons] };
  }

  private async observe(screened: Screened, norm: Norm): Promise<Observed> {
    const { request, mode, row } = screened;
    const { velocities } = this.memory;
    const { payment_id, at_ms } = row;
    const amount_usd_cents = BigInt(request.amount_usd_cents);
    const counted = { wallet: row.customer_wallet, ip: row.ip_hash, email: row.email_hash };
    return {
      stage: request.stage,
      amount_usd_cents,
      fixed_score: fixedScoreOf(request.customer_email),
      listed: (kind) => this.isListed(kind, screened),
      count(by, window_seconds) {
        const value = counted[by];
        if (value === null) return null;
        return velocities.count({ mode, by, value }, window_seconds * 1000, payment_id, at_ms);
      },
      median_usd_cents: norm.medianWithout(payment_id),
      is_new_wallet: await this.isNewWallet(row, amount_usd_cents),
    };
  }

  /** Only asked for an amount that a rule is about. */
  private async isNewWallet(
    { mode, customer_wallet }: Screened['row'],
    amount_usd_cents: bigint,
  ): Promise<boolean> {
    if (customer_wallet === null) return false;
    const amount_usd = fromUnits(amount_usd_cents, 2);
    const is_asked = this.memory.rules.some(
      (rule) => rule.kind === 'first_payment' && rule.enabled && amount_usd >= rule.params.min_usd,
    );
    return is_asked && hasNeverPaid(this.runtime.readModels, mode, customer_wallet);
  }

  private sanctionOf({ stage, payment, customer_wallet }: ScreeningRequest): Reason | null {
    const { sanctions } = this.memory;
    const [wallet, code] =
      stage === 'create'
        ? [payment.wallet_address, 'sanctions_merchant_wallet']
        : [customer_wallet, 'sanctions_customer_wallet'];
    if (wallet === null || !sanctions.has(wallet)) return null;
    return { code, weight: SANCTIONS_SCORE, observed: 1, threshold: 1 };
  }

  private async raise(
    { request, mode, row }: Screened,
    { score, reasons }: Assessment,
    action: FlagTerms['action'],
    { command_id, correlation_id }: Asked,
  ): Promise<void> {
    const { keyRing, random, clock } = this.runtime;
    const { payment_id, merchant_id, stage, customer_wallet } = row;
    const ip = await this.sealedAddress(request);
    const [heaviest] = reasons;
    const list = this.memory.sanctions.list();
    const is_never_stored =
      action === 'block' && (stage === 'create' || request.is_to_be_stored === true);
    const bytes = keyRing.idBytes(`flag|${screeningKey(payment_id, stage, customer_wallet)}`);
    const flag_id = newId(flagIds, mode, bytes);
    const terms: FlagTerms = {
      ...{ flag_id, payment_id, merchant_id, mode, stage, action, score, reasons },
      severity: severityOf(score),
      rule: heaviest?.code ?? 'none',
      ...{ customer_wallet, ip },
      amount_usd_cents: request.amount_usd_cents,
      sanctions_list: list && { sha256: list.sha256, issued_on: list.issued_on },
      payment: is_never_stored ? null : request.payment,
      webhook_url: request.webhook_url,
      created_at: isoTime(clock.now()),
    };
    const handled = await flag.handle(
      this.runtime,
      mode,
      flag_id,
      { type: 'RaiseFlag', terms },
      {
        command_id: command_id ?? random.uuid(),
        ...{ body_hash: null, merchant_id, actor: 'system:fraud.screen-payment' },
        ...{ correlation_id, causation_id: null, subject_ids: ip ? [ip.subject_id] : [] },
      },
    );
    if (handled.ok) this.raised(mode, handled.position);
  }

  /** Under the key of the customer where one is known, so that erasing the customer erases it. */
  private async sealedAddress(request: ScreeningRequest): Promise<FlagTerms['ip']> {
    const { client_address, customer_subject, payment } = request;
    if (client_address === null) return null;
    const subject_id = customer_subject ?? payerSubject(payment.id);
    return {
      subject_id,
      sealed: await this.runtime.keyRing.sealPersonal(subject_id, client_address),
    };
  }
}

const ofStoredScore = (score: number): Reason => ({
  code: 'stored_score',
  weight: score,
  observed: score,
  threshold: score,
});
