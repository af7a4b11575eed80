import type { Client } from './client';
import { testNetwork } from './customers';
import { eventually } from './eventually';
import { finalize } from './local-chain';
import type { Merchant } from './merchants';
import type { RunningProgram } from './running-program';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

/** The address of a merchant’s operating wallet, once it is made. */
export async function operatingWalletOf({ api }: Pick<Merchant, 'api'>): Promise<string> {
  const { json } = await eventually(
    () => api.get('/api/v1/merchants/me/wallet'),
    ({ json: wallet }) => wallet.operating_wallet_address !== null,
  );
  return json.operating_wallet_address;
}

/** An ordinary payment goes to the merchant’s own wallet: the merchant funds what its refunds are paid from. */
export async function fund(
  program: RunningProgram,
  address: string,
  amount: number,
  token = 'USDC',
): Promise<void> {
  const body = { address, token, amount };
  const given = await program.admin().post('/api/v1/test_helpers/faucet', body);
  if (given.status !== 200) throw new Error(`the faucet answered ${given.status}: ${given.text}`);
}

/**
 * Looks until a transfer has ended as it should, and makes its transaction final as soon as it is in a block: on a
 * chain of people that takes 13 s.
 */
export async function transferEnded(
  program: RunningProgram,
  look: () => Promise<Json>,
  ...statuses: readonly string[]
): Promise<Json> {
  const { rpc_url } = await testNetwork(program);
  const looked = async (): Promise<Json> => {
    const transfer = await look();
    const { transaction_signature: signature } = transfer ?? {};
    if (signature) await finalize(rpc_url, signature).catch(() => false);
    return transfer;
  };
  return eventually(looked, (transfer) => statuses.includes(transfer?.status));
}

/** A refund of a payment, its only one unless told which, once it is completed or has failed. */
export function refundEnded(
  program: RunningProgram,
  api: Client,
  payment_id: string,
  refund_id?: string,
): Promise<Json> {
  const look = async (): Promise<Json> => {
    const { status, json } = await api.get(`/api/v1/payments/${payment_id}/refunds`);
    if (status !== 200) return undefined;
    // The list follows the log: the first one there may be an earlier one.
    return refund_id === undefined ? json[0] : json.find(({ id }: Json) => id === refund_id);
  };
  return transferEnded(program, look, 'completed', 'failed');
}
