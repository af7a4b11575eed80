import { IsInt, IsObject, IsString, IsUUID } from 'class-validator';
import { Describe } from './validation';

/** The body of every answer that is not a success (specification §1.1). */
export class ErrorBody {
  /** A sentence for a person. */
  @IsString() error!: string;
  /** For programs; one of `ERROR_CODES`. */
  @IsString() code!: string;
  @IsObject() details!: object;
  @Describe('As in `X-Correlation-Id`: names the request in our logs. A repeated answer has that of the first one.')
  @IsUUID()
  correlation_id!: string;
}

/** 429 also says when to come back, in seconds. */
export class RateLimitBody extends ErrorBody {
  @IsInt() retry_after!: number;
}

/** Every code that a client can see, and the status it comes with. */
export const ERROR_CODES = {
  missing_required_field: [400, 'A field that the request needs is missing or null.'],
  invalid_parameter: [400, 'The request is wrong whatever the state of the world.'],
  invalid_signature: [400, 'The signature is none: 64 bytes in base58.'],
  invalid_transaction: [400, 'Not the transaction that was built; `details.reason` says what differs.'],
  mutually_exclusive_credentials: [400, 'Two credentials were sent where one is allowed.'],
  passkey_signature_malformed: [400, 'The proof by a passkey has not the form of one.'],
  authentication_failed: [401, 'No credential, or one that is not good.'],
  passkey_refused: [401, 'What the browser sent does not answer the challenge; begin again.'],
  payment_blocked: [402, 'The payment was blocked: at creation with 402, later with 403.'],
  forbidden: [403, 'The credential is good but may not do this.'],
  passkey_required: [403, 'No signing passkey of the merchant is known to the signers yet.'],
  passkey_invalid: [403, 'The proof is not by that passkey, or was made on another page.'],
  passkey_unknown_credential: [403, 'The merchant has no such passkey, or the signers know none.'],
  passkey_operation_mismatch: [403, 'The proof allows something else.'],
  passkey_challenge_expired: [403, 'The challenge has expired; ask for another one.'],
  user_verification_required: [403, 'The passkey has not made sure who uses it.'],
  not_found: [404, 'Absent, somebody else’s, or of the other mode.'],
  no_installment_due: [404, 'No installment of the plan is to be paid.'],
  payment_link_not_found: [404, 'There is no such payment link.'],
  plan_not_found: [404, 'There is no such plan.'],
  subscription_not_found: [404, 'There is no such subscription.'],
  method_not_allowed: [405, 'The path exists, the method does not.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  idempotency_key_reused: [409, 'The Idempotency-Key was used with another request.'],
  idempotency_in_flight: [409, 'The same request is still running.'],
  invalid_payment_state: [409, 'The payment’s state does not allow this.'],
  invalid_intent_state: [409, 'The payment intent’s state does not allow this.'],
  plan_inactive: [409, 'The plan takes no new subscriptions.'],
  subscription_already_cancelled: [409, 'The subscription has been cancelled.'],
  invalid_subscription_state: [409, 'The subscription’s state does not allow this.'],
  payment_not_refundable: [409, 'The payment is not confirmed, its money is held, or its payer is not known.'],
  payment_already_refunded: [409, 'All of the payment was refunded.'],
  refund_in_progress: [409, 'Another refund of the same money has not ended.'],
  payment_not_disputable: [409, 'The payment is not confirmed.'],
  dispute_exists: [409, 'The payment has a dispute that is not resolved.'],
  invalid_dispute_state: [409, 'The dispute’s state does not allow this.'],
  dispute_already_resolved: [409, 'The dispute was resolved before.'],
  settlement_not_retryable: [409, 'Only a settlement that has failed can be retried.'],
  payment_not_due: [409, 'Nothing is to be paid now.'],
  invalid_invoice_state: [409, 'The invoice’s state does not allow this.'],
  invoice_already_sent: [409, 'The invoice was sent before; remind sends it again.'],
  invoice_not_cancellable: [409, 'The invoice is paid or cancelled.'],
  plan_not_active: [409, 'The installment plan is over.'],
  wallet_mismatch: [409, 'The payment is bound to another wallet; `details.bound_wallet` has its first and last four characters.'],
  submission_in_flight: [409, 'A transaction of this payment is under way.'],
  signature_already_used: [409, 'The signature belongs to another payment.'],
  customer_info_required: [409, 'The payment asks for the customer’s details first.'],
  key_already_rotated: [409, 'The key was rotated before; its replacement can be.'],
  customer_info_set: [409, 'The payment knows its customer; the first customer info stays.'],
  merchant_exists: [409, 'A merchant with this e-mail exists.'],
  passkey_exists: [409, 'The passkey is registered.'],
  passkey_last: [409, 'The last passkey that the signers know stays; let another one in first.'],
  passkey_challenge_consumed: [409, 'The challenge was used before; ask for another one.'],
  wallet_not_frozen: [409, 'The operating wallet is not frozen.'],
  wallet_not_ready: [409, 'The merchant has no wallet yet.'],
  wallet_exists: [409, 'The merchant has a wallet.'],
  share_exists: [409, 'The passkey has its share of the wallet, which is never replaced.'],
  ceremony_unknown: [409, 'No such ceremony of the merchant is under way; begin another.'],
  ceremony_failed: [409, 'A party of the ceremony has refused; `details.code` says why. Begin another.'],
  rule_exists: [409, 'A fraud rule with this code exists; change that one.'],
  flag_already_resolved: [409, 'The flag was resolved before.'],
  delivery_not_retryable: [409, 'A pending or delivered webhook cannot be retried.'],
  webhook_not_configured: [409, 'No webhook URL is set.'],
  receipt_already_resolved: [409, 'The receipt was resolved before.'],
  receipt_not_refundable: [409, 'The money is in no wallet that Tender signs for.'],
  payment_expired: [410, 'The payment has expired.'],
  payment_link_expired: [410, 'The payment link has expired.'],
  payment_link_exhausted: [410, 'All uses of the payment link are taken.'],
  payment_link_closed: [410, 'The owner of the payment link has closed it.'],
  passkey_setup_by_key: [403, 'An API key has asked for the set-up link; ask for one when you are signed in.'],
  passkey_setup_used: [410, 'The set-up link was used; ask for a new one.'],
  passkey_setup_expired: [410, 'The set-up link has expired; ask for a new one.'],
  payload_too_large: [413, 'The body is larger than 64 KiB.'],
  uri_too_long: [414, 'The path is longer than any of ours.'],
  unsupported_media_type: [415, 'The body must be JSON in UTF-8, not compressed.'],
  expectation_failed: [417, 'The server takes no Expect but 100-continue.'],
  validation_failed: [422, 'Well-formed, but breaks a rule that relates it to other amounts or limits.'],
  amount_too_large: [422, 'Above the merchant’s maximum amount.'],
  invoice_amount_mismatch: [422, 'The line items do not sum to the amount.'],
  refund_amount_exceeds_remaining: [422, 'More than is left to refund; `details.remaining_usd` says how much that is.'],
  otp_invalid: [422, '`otp_code` is wrong, used or expired; request another code.'],
  too_many_passkeys: [422, 'The merchant has as many passkeys as it may; remove one.'],
  insufficient_balance: [422, 'There is not enough money for this.'],
  rate_limit_exceeded: [429, 'Too many requests; Retry-After says when to come back.'],
  too_many_streams: [429, 'The address has as many event streams open as it may; close one, or poll.'],
  too_many_open_payments: [429, 'From the address more payments by the link wait than it may begin; pay one.'],
  too_many_reminders: [429, 'An invoice is reminded of once an hour and three times in 24 hours.'],
  headers_too_large: [431, 'The request’s headers are larger than 16 KiB.'],
  internal_error: [500, 'Our fault. The correlation id helps us to find it.'],
  gasless_unavailable: [503, 'The service cannot pay the fee of this payment now; build a direct one.'],
  service_unavailable: [503, 'A part that the request needs cannot be reached; try again.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

export type ErrorCode = keyof typeof ERROR_CODES;
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CODES, code);
