import type { Chain, ChainAccount, Runtime } from '@tender/eventing';
import { ApiError } from '@tender/http';
import { TOKEN_DECIMALS, type Token } from '@tender/kernel';
import type { BuiltTransaction, PaymentTerms } from '@tender/payments-domain';
import {
  base64,
  paymentMessage,
  paymentUnitLimit,
  TOKEN_PROGRAM,
  type PaidToken,
} from '@tender/transactions';

/** What a customer offers beside its signature at most: a full network must not make a small payment dear. */
const PRIORITY_LAMPORTS_MAX = 50_000n;
const MICRO = 1_000_000n;
/** Of recent prices: most blocks take it. */
const PERCENTILE = 0.75;

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
  const unit_limit = paymentUnitLimit(token);
  const { wallet_address } = terms;
  const written = token ? [token.source, token.destination] : [payer_wallet, wallet_address];
  const message = paymentMessage({
    customer: payer_wallet,
    fee_payer: payer_wallet,
    recipient: terms.wallet_address,
    token,
    amount: BigInt(terms.token_amount),
    reference: terms.reference,
    recent_blockhash: blockhash,
    compute: { unit_limit, unit_price: await unitPrice(chain, written, unit_limit) },
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

/** Micro-lamports per unit: what others have offered lately for the same accounts, within our bound. */
async function unitPrice(
  chain: Chain,
  written: readonly string[],
  unit_limit: number,
): Promise<bigint> {
  const prices = [...(await chain.recentUnitPrices(written))];
  prices.sort((one, other) => (one < other ? -1 : 1));
  const usual = prices[Math.floor(prices.length * PERCENTILE)] ?? 0n;
  const most = (PRIORITY_LAMPORTS_MAX * MICRO) / BigInt(unit_limit);
  return usual < most ? usual : most;
}
