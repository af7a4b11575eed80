import { eraseSubjectKey } from '@tender/adapter-postgres';
import type { FileKeyRing } from '@tender/adapter-system';
import {
  describeMerchant,
  inspectPayment,
  newId,
  paymentIds,
  type InspectedPayment,
  type RequestContext,
} from '@tender/contracts';
import { customerSubject, type Log } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import type { ContextStage, StageAnswer } from '@tender/runtime/testing';
import { playTreasury } from './played-treasury';
import { refundsDisputesStage } from './refunds-disputes-stage';

export const MERCHANT_ID = '8d8e8f90-9192-8394-9596-979899a0a1a2';
export const WALLET = 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd';
export const OTHER_WALLET = 'F3b1hXq8m2cJY6bYbN5n1jz5oG4PpX7hC2vQ9sTdKx8R';

interface PaymentChanges {
  /** Null: the payment knows none. */
  readonly email?: string | null;
  readonly mode?: Mode;
  readonly merchant_id?: string;
  readonly payment?: Partial<InspectedPayment['payment']>;
  readonly hold?: InspectedPayment['hold'];
  readonly webhook_url?: string;
}

/** The context with payments as a test plays them, customers who write mails of their own, and a log that is kept. */
export class DisputedPayments {
  stage!: ContextStage;
  readonly log_lines: string[] = [];
  private readonly known = new Map<string, InspectedPayment>();

  async start(): Promise<void> {
    const line = (fields: object, message: string) =>
      void this.log_lines.push(JSON.stringify([fields, message]));
    const log: Log = { info: line, warn: line, error: line };
    this.stage = await refundsDisputesStage({ log });
    playTreasury(this.stage);
    const { calls } = this.stage.runtime;
    calls.answer(inspectPayment, async ({ payment_id }, { mode }) => {
      const found = this.known.get(payment_id);
      return found?.payment.mode === mode ? found : null;
    });
    calls.answer(describeMerchant, async ({ merchant_id }) => ({
      ...{ merchant_id, name: 'ỌJÀ Fabrics', support_email: 'help@oja.example' },
      ...{ business_address: '5 High Street', wallet: null, amount_max: 1 },
    }));
  }

  close(): Promise<void> {
    return this.stage.close();
  }

  /** A confirmed one of 100 USD. */
  async newPayment(changes: PaymentChanges = {}): Promise<string> {
    const { keyRing, random } = this.stage.runtime;
    const { email = 'ada@example.com', mode = 'test', merchant_id = MERCHANT_ID } = changes;
    const id = newId(paymentIds, mode, random.bytes(16));
    const subject_id = customerSubject(keyRing, { merchant_id, mode, email: email ?? '' });
    const payment = {
      ...{ id, merchant_id, mode, status: 'confirmed', payment_token: 'USDC' },
      ...{ token_amount: '100000000', customer_wallet: WALLET, transaction_signature: `of ${id}` },
      ...changes.payment,
    } as InspectedPayment['payment'];
    this.known.set(id, {
      ...{ payment, amount_usd_cents: '10000', webhook_url: changes.webhook_url ?? null },
      customer:
        email === null
          ? null
          : { subject_id, email_sealed: await keyRing.sealPersonal(subject_id, email) },
      hold: changes.hold ?? 'none',
    });
    return id;
  }

  /** What the payment is like from now on. */
  change(id: string, changes: Partial<InspectedPayment['payment']>): void {
    const known = this.known.get(id) as InspectedPayment;
    this.known.set(id, { ...known, payment: { ...known.payment, ...changes } });
  }

  /** Nothing that is sealed for the payment’s customer can be read any more. */
  async erase(payment_id: string): Promise<void> {
    const { readModels, keyRing } = this.stage.runtime;
    const subject_id = this.known.get(payment_id)?.customer?.subject_id ?? '';
    await eraseSubjectKey(readModels, subject_id);
    (keyRing as FileKeyRing).forgetSubject(subject_id);
  }

  request(
    payment_id: string,
    customer_email = 'ada@example.com',
    more: object = {},
    changes: Partial<RequestContext> = {},
  ): Promise<StageAnswer> {
    const path = `/api/v1/payments/${payment_id}/dispute/request-otp`;
    return this.stage.send('POST', path, this.stage.caller(changes), { customer_email, ...more });
  }

  open(
    payment_id: string,
    otp_code: string,
    more: object = {},
    changes: Partial<RequestContext> = {},
  ): Promise<StageAnswer> {
    return this.stage.send('POST', `/api/v1/payments/${payment_id}/dispute`, this.stage.caller(changes), {
      ...{ customer_email: 'ada@example.com', dispute_type: 'product_not_received' },
      ...{ description: 'Nothing has come.', otp_code },
      ...more,
    });
  }

  mails(to = 'ada@example.com') {
    return this.stage.runtime.mail.inbox?.list({ to }) ?? [];
  }

  /** The code that the newest mail about the payment tells; empty where there is none. */
  async codeOf(payment_id: string, email?: string): Promise<string> {
    const { status, text } = await this.request(payment_id, email);
    if (status !== 200) throw new Error(text);
    await this.stage.settle();
    return this.toldCode(payment_id, email);
  }

  toldCode(payment_id: string, email?: string): string {
    const mail = this.mails(email).find(({ text }) => text.includes(payment_id));
    return /: (\d{6})\b/.exec(mail?.text ?? '')?.[1] ?? '';
  }

  /** An open dispute of a new payment. */
  async newDispute(changes: PaymentChanges = {}, more: object = {}) {
    const payment_id = await this.newPayment(changes);
    const { mode = 'test', email = 'ada@example.com' } = changes;
    const asked = await this.request(payment_id, email ?? '', {}, { mode });
    if (asked.status !== 200) throw new Error(asked.text);
    await this.stage.settle();
    const code = this.toldCode(payment_id, email ?? '');
    const body = { customer_email: email, ...more };
    const { status, json, text } = await this.open(payment_id, code, body, { mode });
    if (status !== 201) throw new Error(text);
    await this.stage.settle();
    return { ...(json as { readonly id: string }), payment_id, code };
  }
}

/** Digits that are not these. */
export const otherCode = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0');
