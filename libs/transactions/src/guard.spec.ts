import { guard } from './guard';
import { paymentMessage, type PaymentTransfer } from './payment-message';
import { CUSTOMER_PAID_BOUNDS } from './template';
import { attacksOn } from './testing/attacks';
import { use, type Changes } from './testing/changes';
import { adding, assert, budgeted } from './testing/wallet-changes';
import {
  attacker,
  attackers_account,
  changed,
  creating,
  customer,
  customers_account,
  inSol,
  merchants_account,
  mint,
  payment,
  sponsor,
  sponsors_account,
  templateOf,
} from './testing/payments';
import { signedBy, someAddress } from './testing/signing';
import { transactionBytes } from './transaction';

/** What the guard says to the customer's signature on that. */
function verdictOn(changes: Changes, transfer: PaymentTransfer = payment): string {
  const outcome = guard(
    signedBy(changed(transfer, changes), customer, attacker),
    templateOf(transfer),
  );
  return outcome.ok ? 'passes' : outcome.refusal;
}
const sponsors = sponsor.address;

describe('passes', () => {
  test.each([
    ['the exact message', payment],
    ['one that makes the merchant’s account', creating],
    ['one in SOL', inSol],
  ])('%s', (_, transfer) => expect(verdictOn({}, transfer)).toBe('passes'));

  test.each<[string, Changes]>([
    ['one assert about the customer', adding(assert(use(customer.address)))],
    ['two asserts', adding(assert(use(customers_account)), assert(use(merchants_account)))],
    ['asserts in front', { instructions: (built) => [assert(use(customer.address)), ...built] }],
    ['an assert that says the customer is written', adding(assert(use(customer.address, 'sw')))],
    ['an assert about a foreign account that it reads', adding(assert(use(someAddress(70))))],
    ['a price within the cap', budgeted(60_000, 800_000n)],
    ['a limit within the cap', budgeted(300_000, 1_000n)],
    [
      'a compute budget at the end',
      { instructions: (built) => [...built.slice(2), ...built.slice(0, 2)] },
    ],
  ])('what wallets add: %s', (_, changes) => {
    for (const transfer of [payment, creating, inSol]) {
      expect(verdictOn(changes, transfer)).toBe('passes');
    }
  });

  test('a customer who pays the fee may offer any price and be asserted', () => {
    const own: PaymentTransfer = { ...payment, fee_payer: customer.address };
    const message = changed(own, budgeted(1_400_000, 10n ** 9n));
    const template = { ...templateOf(own), bounds: CUSTOMER_PAID_BOUNDS };
    expect(guard(signedBy(message, customer), template).ok).toBe(true);
    const asserted = changed(own, adding(assert(use(customer.address, 'sw'))));
    expect(guard(signedBy(asserted, customer), template).ok).toBe(true);
  });

  test('what it passes is the transaction as it was read', () => {
    const message = paymentMessage(payment);
    const outcome = guard(signedBy(message, customer), templateOf(payment));
    expect(outcome).toMatchObject({
      ok: true,
      value: { message: { signers: [sponsors, customer.address] } },
    });
    expect(outcome.ok && Buffer.from(outcome.value.message_bytes).equals(message)).toBe(true);
  });
});

const attacks = attacksOn({
  ...{ sponsor: sponsors, customer: customer.address, attacker: attacker.address },
  ...{ mint, customers_account, sponsors_account, attackers_account },
});
const transfers = { token: payment, 'new account': creating, sol: inSol };

describe('refuses', () => {
  test.each(attacks)('$reason: $name', ({ reason, changes, of }) => {
    expect(verdictOn(changes, transfers[of])).toBe(reason);
  });

  test('bad_customer_signature: none, another’s, of another message, of another key', () => {
    const message = paymentMessage(payment);
    const other = customer.sign(paymentMessage({ ...payment, amount: 1n }));
    const signatures = [
      {},
      { [customer.address]: attacker.sign(message) },
      { [customer.address]: other },
    ];
    for (const some of signatures) {
      const outcome = guard(transactionBytes(message, some), templateOf(payment));
      expect(outcome).toEqual({ ok: false, refusal: 'bad_customer_signature' });
    }
  });

  test('instruction_set_changed: a key that no instruction needs', () => {
    const message = Buffer.from(paymentMessage(payment));
    const [, , , keys] = message as unknown as [number, number, number, number];
    const stray = Buffer.alloc(32, 9);
    // Behind the last key; it counts as one that is read.
    const at = 4 + keys * 32;
    const longer = Buffer.concat([message.subarray(0, at), stray, message.subarray(at)]);
    longer[3] = keys + 1;
    longer[2] = (message[2] as number) + 1;
    const outcome = guard(signedBy(longer, customer), templateOf(payment));
    expect(outcome).toEqual({ ok: false, refusal: 'instruction_set_changed' });
  });
});
