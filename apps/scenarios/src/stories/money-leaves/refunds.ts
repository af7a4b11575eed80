import { finalize } from '../../harness/local-chain';
import type { Client } from '../../harness/client';
import { newCustomer, sendUsdc, testNetwork } from '../../harness/customers';
import { eventually } from '../../harness/eventually';
import type { RunningProgram } from '../../harness/running-program';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

/** How far money has come on its way back. */
export interface Way {
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  readonly transaction_signature: string | null;
  readonly failure_reason: string | null;
}

/** Money that came in, and goes back to who paid it, whole and once. */
export interface Refund {
  readonly of: 'payment' | 'stray money';
  /** The wallet that paid. */
  readonly customer: string;
  /** Base units. */
  readonly amount: bigint;
  /** Of the transaction that brought it. */
  readonly credit: string;
  /** Asks for it, until that is answered. */
  ask(): Promise<void>;
  /** Undefined before it was asked for. */
  look(): Promise<Way | undefined>;
}

/** Who pays, and to whom. */
export interface Shop {
  readonly program: RunningProgram;
  /** Of the merchant; it sends again what was cut off. */
  readonly patient: Client;
  readonly operating_wallet: string;
}

/** Money that a stranger sends to the operating wallet, and that the merchant sends back. */
export async function straysIn(
  { program, patient, operating_wallet }: Shop,
  amount: bigint,
): Promise<Refund> {
  const stranger = await newCustomer(program, Number(amount) / 1e6);
  const credit = await sendUsdc(program, stranger, operating_wallet, amount);
  const receipt = async (): Promise<Json> => {
    const { json } = await patient.get('/api/v1/receipts?reason=no_reference&limit=100');
    return json.find(({ transaction_signature }: Json) => transaction_signature === credit);
  };
  const { id } = await eventually(receipt, (found) => found !== undefined);
  return {
    ...{ of: 'stray money', customer: stranger.address, amount, credit },
    async ask() {
      const { status, text } = await patient.post(`/api/v1/receipts/${id}/resolve`, { action: 'refund' });
      if (status !== 200) throw new Error(`the refund of ${id} was answered with ${status}: ${text}`);
    },
    look: async () => (await receipt()).refund,
  };
}

/** A payment to the merchant’s own wallet, which goes back out of the operating wallet. */
export async function isPaid({ patient }: Shop, amount: bigint): Promise<Refund> {
  const amount_usd = Number(amount) / 1e6;
  const { json: payment } = await patient.post('/api/v1/payments', { amount: amount_usd });
  const path = `/api/v1/payments/${payment.id}`;
  const paid = await patient.post('/api/v1/test_helpers/pay', { payment_id: payment.id });
  if (paid.status !== 200) throw new Error(`the payment was not paid: ${paid.text}`);
  await eventually(() => patient.get(path), ({ json }) => json.status === 'confirmed');
  return {
    of: 'payment',
    ...{ customer: paid.json.wallet, amount, credit: paid.json.signature },
    async ask() {
      const { status, text } = await patient.post(`${path}/refund`, { amount_usd });
      if (status !== 201) throw new Error(`the refund of ${payment.id} was answered with ${status}: ${text}`);
    },
    async look() {
      const { json } = await patient.get(`${path}/refunds`);
      return json[0];
    },
  };
}

/** What became of it. */
export const ended = (refund: Refund): Promise<Way | undefined> =>
  eventually(refund.look, (way) => way?.status === 'completed' || way?.status === 'failed');

/** Once the transaction of a payment’s refund is in a block, makes as many more as make it final. */
export async function finalizeOne({ program }: Pick<Shop, 'program'>, refund: Refund): Promise<void> {
  const signature = async () => (await refund.look())?.transaction_signature ?? null;
  const sent = await eventually(signature, (found) => found !== null);
  const { rpc_url } = await testNetwork(program);
  await eventually(() => finalize(rpc_url, sent as string), (is_in_block) => is_in_block);
}
