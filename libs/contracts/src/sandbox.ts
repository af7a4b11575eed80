import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { MODES, TOKENS, type Mode, type Token } from '@tender/kernel';
import { route } from './route';
import { sendBack } from './send-back';
import { testHelper } from './test-helper';
import { all, Describe, IsBase58Address, IsEmailAddress, OrNull } from './validation';

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,88}$/;

export class MintAddresses {
  @IsString() USDC!: string;
  @IsString() USDT!: string;
}

export class NetworkAnswer {
  @IsString() rpc_url!: string;
  @IsString() ws_url!: string;
  @ValidateNested() @Type(() => MintAddresses) mints!: MintAddresses;
  @IsString() fee_payer!: string;
}

export class NetworksAnswer {
  @ValidateNested() @Type(() => NetworkAnswer) test!: NetworkAnswer;
  @ValidateNested() @Type(() => NetworkAnswer) live!: NetworkAnswer;
}

export class EnvironmentAnswer {
  @IsString() now!: string;
  @ValidateNested() @Type(() => NetworksAnswer) networks!: NetworksAnswer;
  @IsString() checkout_url!: string;
  @IsString() dashboard_url!: string;
}

export class FaucetBody {
  @IsBase58Address() address!: string;
  @IsIn(TOKENS) token!: Token;
  /** Whole tokens. */
  @IsNumber() @Min(0.000000001) @Max(1_000_000_000) amount!: number;
  @IsOptional() @IsIn(MODES) mode?: Mode;
}

export class SignatureAnswer {
  @IsString() signature!: string;
}

export class PayBody {
  @IsString() @MaxLength(100) payment_id!: string;
  /** Whole tokens; as many as are due by default. */
  @IsOptional() @IsNumber() @Min(0.000000001) @Max(1_000_000_000) amount?: number;
  /** The payment's own token by default. */
  @IsOptional() @IsIn(TOKENS) token?: Token;
  /** Base58 secret of the paying wallet; a fresh, funded one by default. */
  @IsOptional() @Matches(BASE58) from?: string;
}

export class PayAnswer {
  @IsString() signature!: string;
  @IsString() wallet!: string;
}

export class AdvanceClockBody {
  @IsInt() @Min(1) @Max(31_536_000) seconds!: number;
}

export class ClockAnswer {
  @IsString() now!: string;
}

/** What is left out stays. */
const IsUsdRate = (): PropertyDecorator =>
  all(IsOptional(), IsNumber(), Min(0.000001), Max(1_000_000_000));

export class RatesBody {
  @Describe('USD for one.', 1.08) @IsUsdRate() EUR?: number;
  @IsUsdRate() GBP?: number;
  @IsUsdRate() SOL?: number;
  @IsUsdRate() NGN?: number;
}

export class RatesAnswer {
  @IsNumber() EUR!: number;
  @IsNumber() GBP!: number;
  @IsNumber() SOL!: number;
  @IsNumber() NGN!: number;
}

export const SCENARIOS = ['pay', 'underpay', 'wrong_token', 'block'] as const;
export type Scenario = (typeof SCENARIOS)[number];

export class SimulateBody {
  @IsString() @MaxLength(100) payment_id!: string;
  @IsIn(SCENARIOS) scenario!: Scenario;
}

export class SimulateAnswer {
  @IsString() payment_id!: string;
  @IsIn(SCENARIOS) scenario!: Scenario;
  @Describe('Of the transfer; null where none was made.') @OrNull() @IsString() signature!: string | null;
  @Describe('Has paid; of `block`: a new one, which screening refuses from now on.') @IsString() wallet!: string;
}

export const SCREENING_ACTIONS = ['block', 'sanction', 'clear'] as const;
const LIST_AGES = ['fresh', 'stale', 'empty'] as const;

/** One of `wallet`, `ip` and `email` with an `action`, or `list` alone. */
export class ScreeningBody {
  @IsOptional() @IsBase58Address() wallet?: string;
  @IsOptional() @IsString() @MaxLength(64) ip?: string;
  @Describe('Of a customer.', 'blocked@example.com') @IsOptional() @IsEmailAddress() email?: string;
  @Describe('`sanction` is for wallets.', 'block')
  @IsOptional()
  @IsIn(SCREENING_ACTIONS)
  action?: (typeof SCREENING_ACTIONS)[number];
  @Describe('What the sanctions list is taken for.')
  @IsOptional()
  @IsIn(LIST_AGES)
  list?: (typeof LIST_AGES)[number];
}

export class ScreeningAnswer {
  @IsIn([true]) arranged!: true;
}

export class EmailsQuery {
  @Describe('Of one address alone, in any case.', 'ada@example.com')
  @IsOptional()
  @IsEmailAddress()
  to?: string;
}

export class EmailAnswer {
  @Describe('The same for each repeat of one mail.') @IsString() id!: string;
  @IsString() to!: string;
  @IsString() subject!: string;
  @IsString() text!: string;
  @IsString() html!: string;
  @Describe('Business time.') @IsString() sent_at!: string;
}

export const readEnvironment = route({
  ...testHelper,
  id: 'readEnvironment',
  method: 'GET',
  path: '/api/v1/test_helpers/environment',
  answers: { 200: EnvironmentAnswer },
  refusals: [],
  summary: 'Business time and the two local networks',
});

export const faucet = route({
  ...testHelper,
  id: 'faucet',
  method: 'POST',
  path: '/api/v1/test_helpers/faucet',
  body: FaucetBody,
  answers: { 200: SignatureAnswer },
  refusals: ['forbidden'],
  summary: 'Give test money to an address',
});

export const payPayment = route({
  ...testHelper,
  id: 'payPayment',
  method: 'POST',
  path: '/api/v1/test_helpers/pay',
  body: PayBody,
  answers: { 200: PayAnswer },
  refusals: ['not_found', 'insufficient_balance'],
  summary: 'Pay a payment on the local chain',
});

/** Without a key: customers have none. It spends test money for one payment, and harms no other. */
export const simulate = route({
  ...testHelper,
  id: 'simulate',
  auth: 'open',
  limit: 'public',
  method: 'POST',
  path: '/api/v1/test_helpers/simulate',
  body: SimulateBody,
  answers: { 200: SimulateAnswer },
  refusals: ['not_found'],
  summary: 'What may happen to a test payment, for the checkout page',
});

export const advanceClock = route({
  ...testHelper,
  id: 'advanceClock',
  method: 'POST',
  path: '/api/v1/test_helpers/clock/advance',
  body: AdvanceClockBody,
  answers: { 200: ClockAnswer },
  refusals: [],
  summary: 'Move business time and both local chains',
});

export const readRates = route({
  ...testHelper,
  id: 'readRates',
  method: 'GET',
  path: '/api/v1/test_helpers/rates',
  answers: { 200: RatesAnswer },
  refusals: [],
  summary: 'The rate table: USD per unit',
});

export const setRates = route({
  ...testHelper,
  id: 'setRates',
  method: 'PUT',
  path: '/api/v1/test_helpers/rates',
  body: RatesBody,
  answers: { 200: RatesAnswer },
  refusals: [],
  summary: 'Change the rate table',
});

export const arrangeScreeningHelper = route({
  ...testHelper,
  id: 'arrangeScreening',
  method: 'POST',
  path: '/api/v1/test_helpers/screening',
  body: ScreeningBody,
  answers: { 200: ScreeningAnswer },
  refusals: ['service_unavailable'],
  summary: 'Block or sanction a wallet, an address or an e-mail; age the sanctions list',
});

export const readEmails = route({
  ...testHelper,
  id: 'readEmails',
  method: 'GET',
  path: '/api/v1/test_helpers/emails',
  query: EmailsQuery,
  answers: { 200: [EmailAnswer] },
  refusals: ['not_found'],
  summary: 'The newest mails that were sent, newest first; of a key, those of its merchant',
});

/** Without a credential: it is there only where mails go nowhere, in the process that shows them. */
const inbox = {
  ...testHelper,
  method: 'GET',
  auth: 'open',
  answers: { 200: null },
  refusals: ['not_found'],
} as const;

export const readInboxPage = route({
  ...inbox,
  id: 'readInboxPage',
  path: '/dev/inbox',
  summary: 'A page that lists the mails that were sent',
});

export const readInboxMail = route({
  ...inbox,
  id: 'readInboxMail',
  path: '/dev/inbox/{id}',
  summary: 'One mail, as its reader would see it',
});

export const sandboxRoutes = [
  readEnvironment,
  faucet,
  payPayment,
  simulate,
  advanceClock,
  readRates,
  setRates,
  arrangeScreeningHelper,
  sendBack,
  readEmails,
  readInboxPage,
  readInboxMail,
] as const;
