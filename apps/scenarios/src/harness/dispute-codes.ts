import { idempotencyKey, type Answer } from './client';
import { eventually } from './eventually';
import type { RunningProgram } from './running-program';

/** A payment that was made by a customer with an e-mail. */
export interface PaidByCustomer {
  readonly payment_id: string;
  /** The wallet that paid. */
  readonly payer: string;
  readonly email: string;
}

/** What a customer without an account posts. */
export const postedByCustomer = (
  program: RunningProgram,
  path: string,
  body: object,
): Promise<Answer> => program.client().post(`/api/v1${path}`, body, idempotencyKey());

export async function mailsTo(
  program: RunningProgram,
  to: string,
): Promise<readonly { readonly text: string }[]> {
  const path = `/api/v1/test_helpers/emails?to=${encodeURIComponent(to)}`;
  return (await program.admin().get(path)).json;
}

/** The code to open a dispute with that the customer's mail tells. */
export async function mailedCode(
  program: RunningProgram,
  { payment_id, email: customer_email }: PaidByCustomer,
): Promise<string> {
  const { length: before } = await mailsTo(program, customer_email);
  const path = `/payments/${payment_id}/dispute/request-otp`;
  const asked = await postedByCustomer(program, path, { customer_email });
  if (asked.status !== 200) throw new Error(`the code was answered with ${asked.status}: ${asked.text}`);
  const [mail] = await eventually(
    () => mailsTo(program, customer_email),
    ({ length }) => length > before,
  );
  const [, code] = /: (\d{6})\b/.exec(mail?.text ?? '') ?? [];
  if (!code || !mail?.text.includes(payment_id)) throw new Error(`the mail tells no code: ${mail?.text}`);
  return code;
}

/** What the customer asks for with the code. */
export const opening = ({ email, payer }: PaidByCustomer, otp_code: string) => ({
  ...{ customer_email: email, customer_wallet: payer, otp_code },
  ...{ dispute_type: 'product_not_received', description: 'Nothing has come.' },
  evidence: { tracking: 'TR-7' },
});
