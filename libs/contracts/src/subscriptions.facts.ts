import { CURRENCIES, MODES, type Currency, type Mode } from '@tender/kernel';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNumber, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
import { Describe, IsTime, OrNull } from './validation';

export const SUBSCRIPTION_STATUSES = [
  'Trialing',
  'Active',
  'PastDue',
  'Paused',
  'Cancelled',
  'Expired',
] as const;
export type SubscriptionStatusName = (typeof SUBSCRIPTION_STATUSES)[number];

/**
 * A subscription as webhooks show it, and base of what clients are answered. Topics hold records of every release: a
 * field that is added here is optional.
 */
export class SubscriptionSnapshot {
  @IsString() id!: string;
  @IsString() plan_id!: string;
  @Describe('As the plan was when it was subscribed to.') @IsString() plan_name!: string;
  @IsString() customer_wallet!: string;
  @IsIn(SUBSCRIPTION_STATUSES) status!: SubscriptionStatusName;
  @IsTime() current_period_start!: string;
  @IsTime() current_period_end!: string;
  @Describe('Periods that are paid.') @IsInt() cycles_completed!: number;
  @Describe('When it is charged next; null when it will not be.')
  @OrNull()
  @IsTime()
  next_payment_attempt!: string | null;
  @OrNull() @IsTime() trial_end!: string | null;
  @IsTime() created_at!: string;
}

/** What is due of a subscription, and until when it can be paid. */
export class SubscriptionChargeSnapshot {
  @IsInt() period_number!: number;
  @IsTime() period_start!: string;
  @IsTime() period_end!: string;
  @IsInt() charge_number!: number;
  /** In `currency`. */
  @IsNumber() amount!: number;
  @IsIn(CURRENCIES) currency!: Currency;
  @IsTime() expires_at!: string;
}

/** The subscription as it is right after the event. */
export class SubscriptionFact {
  @ValidateNested() @Type(() => SubscriptionSnapshot) subscription!: SubscriptionSnapshot;
  @IsString() merchant_id!: string;
  @IsIn(MODES) mode!: Mode;
  /** What is to be paid from now on; null where nothing is. */
  @OrNull()
  @ValidateNested()
  @Type(() => SubscriptionChargeSnapshot)
  charge!: SubscriptionChargeSnapshot | null;
}

const subscriptionFact = <const Type extends string, const Name extends string>(
  type: Type,
  name: Name,
) =>
  fact(type, {
    data: SubscriptionFact,
    webhook: {
      name,
      fills: { subscription: [SubscriptionSnapshot, ({ subscription }) => subscription] },
      resource: ({ subscription, merchant_id }) => ({
        resource_id: subscription.id,
        merchant_id,
        payment_id: null,
        webhook_url: null,
      }),
    },
  });

export const subscriptionCreated = subscriptionFact(
  'billing.subscription-created.v1',
  'SubscriptionCreated',
);
export const subscriptionRenewed = subscriptionFact(
  'billing.subscription-renewed.v1',
  'SubscriptionRenewed',
);
export const subscriptionPaymentFailed = subscriptionFact(
  'billing.subscription-payment-failed.v1',
  'SubscriptionPaymentFailed',
);
export const subscriptionPaused = subscriptionFact(
  'billing.subscription-paused.v1',
  'SubscriptionPaused',
);
export const subscriptionResumed = subscriptionFact(
  'billing.subscription-resumed.v1',
  'SubscriptionResumed',
);
export const subscriptionCancelled = subscriptionFact(
  'billing.subscription-cancelled.v1',
  'SubscriptionCancelled',
);

/** A period begins, or is charged again; merchants hear of the payment. */
export const subscriptionChargeDue = fact('billing.subscription-charge-due.v1', {
  data: SubscriptionFact,
});

export class SubscriptionChargeEndedFact {
  @IsString() subscription_id!: string;
}
/** The time of a charge is over: payments is asked whether it was paid in time. */
export const subscriptionChargeEnded = fact('billing.subscription-charge-ended.v1', {
  data: SubscriptionChargeEndedFact,
});

export const subscriptionsFacts = [
  subscriptionCreated,
  subscriptionRenewed,
  subscriptionPaymentFailed,
  subscriptionPaused,
  subscriptionResumed,
  subscriptionCancelled,
  subscriptionChargeDue,
  subscriptionChargeEnded,
] as const;
