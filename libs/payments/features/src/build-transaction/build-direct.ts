import type { Chain, ChainAccount, Runtime } from '@tender/eventing';
import { ApiError } from '@tender/http';
import { TOKEN_DECIMALS, type Token } from '@tender/kernel';
import type { BuiltTransaction, PaymentTerms } from '@tender/payments-domain';
import {
  base64,
  paymentBudget,
  paymentMessage,
  TOKEN_PROGRAM,
  type PaidToken,
} from '@tender/transactions';

/** Place of the state in a token account, and what a frozen one has there. */
const STATE_OFFSET = 108;
const FROZEN = 2;

/** A transaction whose customer pays the fee, and the rent of the merchant's token account where that is missing. */
export async function buildDirect(
  { chains }: Pick<Runtime, 'chains'>,
  terms: PaymentTerms,
  payer_wallet: string,
): Promise<BuiltTransaction> {
  const chain = chains[terms.mode];
  const [token, { blockhash, last_valid_block_height }] = await Promise.all([
    terms.token === 'SOL' ? null : paidToken(chain, terms, terms.token, payer_wallet),
    chain.latestBlockhash(),
  ]);
  const transfer = { customer: payer_wallet, recipient: terms.wallet_address, token };
  const message = paymentMessage({
    ...transfer,
    fee_payer: payer_wallet,
    amount: BigInt(terms.token_amount),
    reference: terms.reference,
    recent_blockhash: blockhash,
    compute: await paymentBudget(chain, transfer),
  });
  return {
    payer_wallet,
    is_gasless: false,
    fee_payer: payer_wallet,
    message: base64(message),
    recent_blockhash: blockhash,
    last_valid_block_height,
  };
}

async function paidToken(
  chain: Chain,
  { wallet_address, token_mint }: PaymentTerms,
  token: Exclude<Token, 'SOL'>,
  payer_wallet: string,
): Promise<PaidToken> {
  const destination = chain.tokenAccount(wallet_address, token);
  const [account = null] = await chain.accounts([destination]);
  if (account !== null && !canReceive(account)) throw accountFrozen();
  return {
    mint: token_mint as string,
    decimals: TOKEN_DECIMALS[token],
    source: chain.tokenAccount(payer_wallet, token),
    destination,
    create_destination: account === null,
  };
}

const canReceive = ({ owner, data }: ChainAccount): boolean =>
  owner === TOKEN_PROGRAM && data[STATE_OFFSET] !== FROZEN;

const accountFrozen = (): ApiError =>
  new ApiError(
    409,
    'invalid_payment_state',
    'The merchant’s token account cannot receive now. Ask the merchant for a payment in another token.',
    { reason: 'merchant_account_frozen' },
  );
