import {
  PAGE_LIMIT_DEFAULT,
  type PageQuery,
  type ReceiptAnswer,
  type ReceiptReason,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { awaitOwnWrites } from '@tender/http';
import type { ReceiptRecorded } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { receiptsFollower } from '../receipts/receipts.projection';
import { renderReceipt } from '../receipts/render-receipt';

const FROM = `from payments.receipts
  where merchant_id = $1 and mode = $2
    and ($3::text is null or payment_id = $3) and ($4::text is null or reason = $4)`;
const PAGE = `select state ${FROM} order by created_at desc, id desc limit $5 offset $6`;
const TOTAL = `select count(*)::int as total ${FROM}`;

export interface ReceiptFilter {
  readonly payment_id: string | null;
  readonly reason: ReceiptReason | null;
}

/** A merchant’s receipts, newest first, as a bare array; the total goes into a header (decisions §1.7). */
export async function receiptPage(
  runtime: Runtime,
  caller: RequestContext,
  { payment_id, reason }: ReceiptFilter,
  { limit = PAGE_LIMIT_DEFAULT, offset = 0 }: PageQuery,
  reply: FastifyReply,
): Promise<ReceiptAnswer[]> {
  const { merchant_id, mode } = caller;
  const follower = { schema: 'payments', follower: receiptsFollower(mode) };
  await awaitOwnWrites(runtime, caller, follower, reply);

  const filter = [merchant_id, mode, payment_id, reason];
  const [rows, totals] = await Promise.all([
    runtime.readModels.query<{ state: ReceiptRecorded['data'] }>(PAGE, [...filter, limit, offset]),
    runtime.readModels.query<{ total: number }>(TOTAL, filter),
  ]);
  void reply.header('X-Total-Count', String(totals[0]?.total ?? 0));
  return rows.map(({ state }) => renderReceipt(state));
}
