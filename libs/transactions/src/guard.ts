import { done, refuse, type Outcome } from '@tender/kernel';
import { faultOfAsserts, type AssertFault } from './asserts';
import { faultOfComputeBudget, type ComputeBudgetFault } from './compute-budget';
import { faultOfInstructions, type InstructionFault } from './instruction-faults';
import { readMessage, type Message } from './message';
import { ASSERT_PROGRAM, COMPUTE_BUDGET_PROGRAM } from './programs';
import { hasSigned } from './signatures';
import type { Template } from './template';
import { readTransaction, type Transaction } from './transaction';

/** Why a signed transaction is not the one that was built; shown to clients as `details.reason`. */
export type GuardReason =
  | 'malformed_transaction'
  | 'lookup_tables_not_allowed'
  | 'fee_payer_mismatch'
  | 'blockhash_mismatch'
  | 'unexpected_signers'
  | 'bad_customer_signature'
  | AssertFault
  | ComputeBudgetFault
  | InstructionFault;

/**
 * Compares signed bytes with what was built. They pass when the customer has signed exactly that message, or one that
 * differs only by what wallets add: asserts and a compute budget, both within the template's bounds. Whatever passes
 * has the effect of the template and no other.
 */
export function guard(wire: Uint8Array, template: Template): Outcome<Transaction, GuardReason> {
  const transaction = readTransaction(wire);
  if (transaction === null) return refuse('malformed_transaction');
  const built = readMessage(template.message);
  const fault =
    faultOfEnvelope(transaction.message, built) ??
    faultOfSignature(transaction, template.customer) ??
    (sameBytes(transaction.message_bytes, template.message)
      ? null
      : faultOfContent(transaction.message, built, template));
  return fault === null ? done(transaction) : refuse(fault);
}

function faultOfEnvelope(signed: Message, built: Message): GuardReason | null {
  if (signed.lookup_tables.length > 0) return 'lookup_tables_not_allowed';
  if (signed.fee_payer !== built.fee_payer) return 'fee_payer_mismatch';
  if (signed.recent_blockhash !== built.recent_blockhash) return 'blockhash_mismatch';
  return sameTexts(signed.signers, built.signers) ? null : 'unexpected_signers';
}

function faultOfSignature(transaction: Transaction, customer: string): GuardReason | null {
  const { signatures, message, message_bytes } = transaction;
  const signature = signatures[message.signers.indexOf(customer)];
  const signed = signature !== undefined && hasSigned(customer, message_bytes, signature);
  return signed ? null : 'bad_customer_signature';
}

function faultOfContent(signed: Message, built: Message, template: Template): GuardReason | null {
  const { customer, bounds } = template;
  const of = (program: string) => signed.instructions.filter((one) => one.program === program);
  const sponsor = built.fee_payer === customer ? null : built.fee_payer;
  return (
    faultOfInstructions(signed, built, { customer, sponsor }) ??
    faultOfAsserts(of(ASSERT_PROGRAM), { built, customer, sponsor, bounds }) ??
    faultOfComputeBudget(of(COMPUTE_BUDGET_PROGRAM), bounds)
  );
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

const sameTexts = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, index) => text === others[index]);
