import { Type } from 'class-transformer';
import { IsIn, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
import { Describe, IsMetadata, IsTime, OrNull } from './validation';

export const DISPUTE_TYPES = ['duplicate', 'unauthorized', 'product_not_received', 'other'] as const;
export type DisputeType = (typeof DISPUTE_TYPES)[number];
export const DISPUTE_STATUSES = [
  'open',
  'under_review',
  'resolved_merchant_favor',
  'resolved_customer_favor',
  'closed',
] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
export const DISPUTE_RESOLVERS = ['merchant', 'admin'] as const;
export type DisputeResolver = (typeof DISPUTE_RESOLVERS)[number];

/** What a dispute has in facts and where it is shown. Facts of every release stay: what is added here is optional. */
class DisputeParts {
  @IsString() id!: string;
  @IsString() payment_id!: string;
  @Describe('The refund that it was resolved with; null without one.')
  @OrNull()
  @IsString()
  refund_id!: string | null;
  @IsString() merchant_id!: string;
  /** Sealed in facts, for they stay, as the customer’s words and evidence; opened in webhooks and answers. */
  @Describe('Null once the customer was erased.') @OrNull() @IsString() customer_email!: string | null;
  @Describe('The wallet that paid; null where it is not known.')
  @OrNull()
  @IsString()
  customer_wallet!: string | null;
  @IsIn(DISPUTE_TYPES) dispute_type!: DisputeType;
  @IsIn(DISPUTE_STATUSES) status!: DisputeStatus;
  @Describe('Null once the customer was erased.') @OrNull() @IsString() description!: string | null;
  @Describe('What the merchant has answered; null until then.')
  @OrNull()
  @IsString()
  response!: string | null;
  @OrNull() @IsMetadata() response_evidence!: object | null;
  @OrNull() @IsTime() responded_at!: string | null;
  @OrNull() @IsString() resolution_notes!: string | null;
  @OrNull() @IsIn(DISPUTE_RESOLVERS) resolved_by!: DisputeResolver | null;
  @IsTime() opened_at!: string;
  @OrNull() @IsTime() resolved_at!: string | null;
}

/** A dispute in facts: the customer’s evidence is sealed. */
export class DisputeSnapshot extends DisputeParts {
  @Describe('Sealed.') @OrNull() @IsString() evidence!: string | null;
}

/** A dispute as it is shown: the customer’s evidence is what was sent. */
export class ShownDispute extends DisputeParts {
  @Describe('The customer’s; null where none was sent, and once the customer was erased.')
  @OrNull()
  @IsMetadata()
  evidence!: object | null;
}

export class DisputeFact {
  @ValidateNested() @Type(() => DisputeSnapshot) dispute!: DisputeSnapshot;
  @Describe('The payment’s own, which takes the place of the merchant’s.')
  @OrNull()
  @IsString()
  webhook_url!: string | null;
}

/** Each shows the dispute as it is right after the event. */
function disputeFact<const Type extends string, const Name extends string>(type: Type, name: Name) {
  return fact(type, {
    data: DisputeFact,
    webhook: {
      name,
      // What is sealed as JSON is an object once the body is opened.
      fills: { dispute: [ShownDispute, ({ dispute }) => dispute as unknown as ShownDispute] },
      resource: ({ dispute: { id, merchant_id, payment_id }, webhook_url }) => ({
        ...{ resource_id: id, merchant_id, payment_id, webhook_url },
      }),
    },
  });
}

export const disputeOpened = disputeFact('refunds-disputes.dispute-opened.v1', 'DisputeOpened');
export const disputeResponded = disputeFact('refunds-disputes.dispute-responded.v1', 'DisputeResponded');
export const disputeResolved = disputeFact('refunds-disputes.dispute-resolved.v1', 'DisputeResolved');

export const disputesFacts = [disputeOpened, disputeResponded, disputeResolved] as const;
