import { IsBoolean, IsIn, IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsIdOf, Describe, IsBase58Address, IsTime } from './validation';
import { PAYMENT_STATUSES, type PaymentStatus } from './payments.facts';
import { paymentIds } from './payment-ids';
import { route } from './route';

const BASE64_CHARACTERS_MAX = 8_192;
const SIGNATURE_CHARACTERS_MAX = 128;

export class BuildTransactionBody {
  @Describe(
    'The wallet that pays: only it can submit what is built, until that can land no more.',
    '7Yh3xk1nQwS5mBDpT2vR9cZ4fGJ6uKaLwE8dNqPsXyMo',
  )
  @IsOptional()
  @IsBase58Address()
  payer_wallet?: string;

  @Describe('Another name of `payer_wallet`.')
  @IsOptional()
  @IsBase58Address()
  customer_wallet?: string;

  @Describe('The service pays the network fee where it can; the answer says whether it does.', false)
  @IsOptional()
  @IsBoolean()
  prefer_gasless?: boolean;
}

export class BuildTransactionAnswer {
  @Describe('For the wallet to sign, base64.') @IsString() transaction!: string;
  @Describe('Says to the customer what is signed.') @IsString() message!: string;
  @IsBoolean() is_gasless!: boolean;
  @Describe('True: hand it to submit-gasless-transaction. False: the wallet may send it itself.')
  @IsBoolean()
  requires_backend_submission!: boolean;
  @IsBase58Address() fee_payer!: string;
  @IsString() recent_blockhash!: string;
  @Describe('Above this block height the transaction can land no more; build another one then.')
  @IsInt()
  last_valid_block_height!: number;
  @IsBase58Address() reference!: string;
  @Describe('When the payment expires.') @IsTime() expires_at!: string;
}

export class SubmitTransactionBody {
  @Describe(
    'Of the transaction, where the wallet has sent it. Either this or `signed_transaction`.',
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
  )
  @IsOptional()
  @IsString()
  @MaxLength(SIGNATURE_CHARACTERS_MAX)
  transaction_signature?: string;

  @Describe('What was built, signed, base64: the service sends it until it lands.')
  @IsOptional()
  @IsString()
  @MaxLength(BASE64_CHARACTERS_MAX)
  signed_transaction?: string;

  @Describe('The wallet that signed.')
  @IsOptional()
  @IsBase58Address()
  customer_wallet?: string;
}

export class SubmitGaslessTransactionBody {
  @Describe('What was built, signed by the customer, base64.')
  @IsString()
  @MaxLength(BASE64_CHARACTERS_MAX)
  signed_transaction!: string;
}

export class SubmitTransactionAnswer {
  @IsIdOf(paymentIds) payment_id!: string;
  @IsIn(PAYMENT_STATUSES) status!: PaymentStatus;
  @Describe('The chain decides; the status of the payment tells what it decided.')
  @IsIn(['processing'])
  verification!: 'processing';
  @IsString() transaction_signature!: string;
}

/** Solana Pay’s transaction request, as wallets on phones send it. */
export class TransactionRequestBody {
  @Describe('The wallet that pays.') @IsBase58Address() account!: string;
}

export class TransactionRequestLabel {
  @Describe('Who is paid.') @IsString() label!: string;
  @Describe('Address of a picture.') @IsString() icon!: string;
}

export class TransactionRequestAnswer {
  @Describe('For the wallet to sign and send: a legacy transaction, base64.') @IsString() transaction!: string;
  @Describe('Says to the customer what is signed.') @IsString() message!: string;
}

const checkout = {
  context: 'payments',
  auth: 'public',
  limit: 'public',
  objects: { id: paymentIds },
  tag: 'Checkout',
} as const;
const posted = { ...checkout, method: 'POST', idempotent: true } as const;
/** Blocked at creation is 402; a payment that exists is blocked with 403. */
const BLOCKED_LATER = { payment_blocked: 403 } as const;
const GATES = ['payment_blocked', 'payment_expired', 'invalid_payment_state'] as const;
const BINDING = ['wallet_mismatch', 'submission_in_flight'] as const;

export const buildTransaction = route({
  ...posted,
  id: 'buildTransaction',
  path: '/api/v1/payments/{id}/build-transaction',
  body: BuildTransactionBody,
  answers: { 200: BuildTransactionAnswer },
  refusals: [...GATES, ...BINDING, 'customer_info_required'],
  statuses: BLOCKED_LATER,
  summary: 'The transaction that pays, for a wallet to sign',
});

export const submitTransaction = route({
  ...posted,
  id: 'submitTransaction',
  path: '/api/v1/payments/{id}/submit-transaction',
  body: SubmitTransactionBody,
  answers: { 200: SubmitTransactionAnswer },
  refusals: [...GATES, ...BINDING, 'invalid_signature', 'invalid_transaction', 'signature_already_used'],
  statuses: BLOCKED_LATER,
  summary: 'Hand in what the customer has signed',
});

export const submitGaslessTransaction = route({
  ...posted,
  id: 'submitGaslessTransaction',
  path: '/api/v1/payments/{id}/submit-gasless-transaction',
  body: SubmitGaslessTransactionBody,
  answers: { 200: SubmitTransactionAnswer },
  refusals: [...GATES, ...BINDING, 'invalid_transaction', 'signature_already_used', 'gasless_unavailable'],
  statuses: BLOCKED_LATER,
  summary: 'Hand in what the customer has signed; the service pays the fee and sends it',
});

export const getTransactionRequest = route({
  ...checkout,
  id: 'getTransactionRequest',
  method: 'GET',
  path: '/api/v1/payments/{id}/transaction-request',
  idempotent: false,
  answers: { 200: TransactionRequestLabel },
  refusals: [],
  summary: 'Solana Pay: who is paid',
});

export const postTransactionRequest = route({
  ...checkout,
  id: 'postTransactionRequest',
  method: 'POST',
  path: '/api/v1/payments/{id}/transaction-request',
  idempotent: false,
  body: TransactionRequestBody,
  answers: { 200: TransactionRequestAnswer },
  refusals: [...GATES, ...BINDING, 'customer_info_required'],
  statuses: BLOCKED_LATER,
  summary: 'Solana Pay: the transaction that pays',
});

export const paymentTransactionRoutes = [
  buildTransaction,
  submitTransaction,
  submitGaslessTransaction,
  getTransactionRequest,
  postTransactionRequest,
] as const;
