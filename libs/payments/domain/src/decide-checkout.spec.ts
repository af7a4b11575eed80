import { specificationOf } from '@tender/eventing/testing';
import type { BuiltTransaction, SubmittedTransaction, TransactionBuilt } from './checkout';
import type { BuildTransaction, Seen, SubmitTransaction } from './decide-checkout';
import { paymentDecider } from './decide-payment';
import { evolvePayment, UNKNOWN_PAYMENT, type PaymentEvent } from './payment';
import history from './recorded/payment-v1.json';
import { signatureClaimDecider } from './signature-claim';

const given = specificationOf(paymentDecider);
const recorded = history as unknown as Record<PaymentEvent['type'], PaymentEvent>;
const { PaymentCreated, PaymentConfirmed, PaymentExpired, PaymentFailed } = recorded;
const { terms } = PaymentCreated.data;

const NOW = '2026-01-01T00:05:00.000Z';
const alive: Seen = { at: NOW, finalized_height: 150, dropped: null };
const dead: Seen = { ...alive, finalized_height: 151 };
const build = (changes: Partial<BuiltTransaction> = {}): BuiltTransaction => ({
  payer_wallet: 'Alice',
  is_gasless: false,
  fee_payer: 'Alice',
  message: 'AQAB',
  recent_blockhash: 'Hash',
  last_valid_block_height: 150,
  ...changes,
});
const built = (changes?: Partial<BuiltTransaction>): TransactionBuilt => ({
  type: 'TransactionBuilt',
  data: { terms, build: build(changes) },
});
const asks = (payer_wallet: string, seen = alive): BuildTransaction => ({
  type: 'BuildTransaction',
  build: build({ payer_wallet, fee_payer: payer_wallet, last_valid_block_height: 300 }),
  replaces: null,
  seen,
});
const ours: SubmittedTransaction = {
  transaction_signature: 'Sig1',
  customer_wallet: 'Alice',
  is_ours: true,
  signed_transaction: null,
  last_valid_block_height: 150,
};
const foreign = { ...ours, customer_wallet: null, is_ours: false, last_valid_block_height: null };
const submits = (changes: Partial<SubmittedTransaction> = {}, seen = alive): SubmitTransaction => ({
  type: 'SubmitTransaction',
  submission: { ...ours, ...changes },
  seen,
});
const submitted = (submission = ours): PaymentEvent => ({
  type: 'TransactionSubmitted',
  data: { terms, submission },
});
const rebuilt = (payer_wallet: string): PaymentEvent => ({
  type: 'TransactionBuilt',
  data: { terms, build: asks(payer_wallet).build },
});

describe('build', () => {
  test('binds the wallet that asks', () =>
    given(PaymentCreated).when(asks('Alice')).then(rebuilt('Alice')));
  test('asked again by the same wallet it stays the same', () =>
    given(PaymentCreated, built()).when(asks('Alice')).then());
  test('of another wallet conflicts while the first may land', () =>
    given(PaymentCreated, built())
      .when(asks('Bob'))
      .thenRefused('wallet_mismatch', { bound_wallet: 'Alic…lice' }));
  test('of any wallet once the blockhash is dead and nothing was submitted', () =>
    given(PaymentCreated, built()).when(asks('Bob', dead)).then(rebuilt('Bob')));
  test('waits for what was submitted, dead or not, until the chain says that it was dropped', () => {
    given(PaymentCreated, built(), submitted())
      .when(asks('Alice', dead))
      .thenRefused('submission_in_flight', { transaction_signature: 'Sig1' });
    given(PaymentCreated, built(), submitted())
      .when(asks('Alice', { ...dead, dropped: 'Sig1' }))
      .then(rebuilt('Alice'));
  });
  test('after a submission the binding holds', () =>
    given(PaymentCreated, built(), submitted())
      .when(asks('Bob', { ...dead, dropped: 'Sig1' }))
      .thenRefused('wallet_mismatch'));
  test('takes the place of a gasless one that no sponsor will sign, and of no other', () => {
    const gasless = built({ is_gasless: true, fee_payer: 'Sponsor', message: 'Gasless' });
    const instead = (replaces: string): BuildTransaction => ({ ...asks('Alice'), replaces });
    given(PaymentCreated, gasless).when(instead('Gasless')).then(rebuilt('Alice'));
    given(PaymentCreated, gasless).when(instead('Other')).then();
    given(PaymentCreated, gasless, submitted())
      .when(instead('Gasless'))
      .thenRefused('submission_in_flight');
  });
  test('is not held up by a signature of a stranger', () =>
    given(PaymentCreated, built(), submitted(foreign)).when(asks('Bob', dead)).then(rebuilt('Bob')));
  test('ends at expires_at, while the status may read pending', () => {
    const before = { ...alive, at: '2026-01-01T00:14:59.999Z' };
    given(PaymentCreated).when(asks('Alice', before)).then(rebuilt('Alice'));
    const at = { ...alive, at: terms.expires_at };
    given(PaymentCreated).when(asks('Alice', at)).thenRefused('payment_expired');
    given(PaymentCreated, PaymentExpired).when(asks('Alice')).thenRefused('payment_expired');
  });
  test.each([
    ['confirmed', PaymentConfirmed],
    ['failed', PaymentFailed],
  ])('of a %s payment is refused', (status, event) =>
    given(PaymentCreated, event).when(asks('Alice')).thenRefused('invalid_payment_state', { status }),
  );
  test('of no payment', () => given().when(asks('Alice')).thenRefused('payment_unknown'));
});

describe('submit', () => {
  test('records what was handed in', () =>
    given(PaymentCreated, built()).when(submits()).then(submitted()));
  test('the same signature again has no second effect, even after the end', () => {
    given(PaymentCreated, built(), submitted()).when(submits()).then();
    given(PaymentCreated, built(), submitted(), PaymentExpired).when(submits()).then();
    const { transaction_signature } = (PaymentConfirmed as Extract<PaymentEvent, { type: 'PaymentConfirmed' }>)
      .data.confirmation;
    given(PaymentCreated, PaymentConfirmed).when(submits({ transaction_signature })).then();
  });
  test('one transaction of ours is under way at a time', () =>
    given(PaymentCreated, built(), submitted())
      .when(submits({ transaction_signature: 'Sig2' }))
      .thenRefused('submission_in_flight', { transaction_signature: 'Sig1' }));
  test('after a build that replaced it there may be another', () =>
    given(PaymentCreated, built(), submitted(), rebuilt('Alice'))
      .when(submits({ transaction_signature: 'Sig2' }))
      .then(submitted({ ...ours, transaction_signature: 'Sig2' })));
  test('of another wallet than the bound one conflicts', () =>
    given(PaymentCreated, built())
      .when(submits({ ...foreign, customer_wallet: 'Bob' }))
      .thenRefused('wallet_mismatch', { bound_wallet: 'Alic…lice' }));
  test('of any wallet where none is bound, or not any longer', () => {
    const bobs = { ...foreign, customer_wallet: 'Bob' };
    given(PaymentCreated).when(submits(bobs)).then(submitted(bobs));
    given(PaymentCreated, built()).when(submits(bobs, dead)).then(submitted(bobs));
  });
  test('a flood of signatures ends', () => {
    const flood = Array.from({ length: 20 }, (_, index) =>
      submitted({ ...foreign, transaction_signature: `F${index}` }),
    );
    const one_more = submits({ ...foreign, transaction_signature: 'F20' });
    given(PaymentCreated, ...flood).when(one_more).thenRefused('submission_in_flight');
    given(PaymentCreated, built(), ...flood).when(submits()).then(submitted());
  });
  test('ends at expires_at', () =>
    given(PaymentCreated, built())
      .when(submits({}, { ...alive, at: terms.expires_at }))
      .thenRefused('payment_expired'));
  test('to a payment that has ended is refused', () =>
    given(PaymentCreated, built(), PaymentFailed).when(submits()).thenRefused('invalid_payment_state'));
});

test('money from any wallet confirms, whatever was built or submitted', () => {
  const before = [PaymentCreated, built(), submitted(), PaymentConfirmed];
  expect(before.reduce(evolvePayment, UNKNOWN_PAYMENT)).toMatchObject({ status: 'confirmed' });
});

describe('a signature', () => {
  const signature = specificationOf(signatureClaimDecider);
  const claim = (payment_id: string) =>
    ({ type: 'ClaimSignature', transaction_signature: 'Sig1', payment_id }) as const;
  const claimed = {
    type: 'SignatureClaimed',
    data: { transaction_signature: 'Sig1', payment_id: 'pay_1' },
  } as const;
  test('belongs to the payment that it is handed in for first', () => {
    signature().when(claim('pay_1')).then(claimed);
    signature(claimed).when(claim('pay_1')).then();
    signature(claimed).when(claim('pay_2')).thenRefused('signature_already_used');
  });
});
