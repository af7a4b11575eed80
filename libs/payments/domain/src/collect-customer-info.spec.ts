import { specificationOf } from '@tender/eventing/testing';
import type { CollectCustomerInfo } from './collect-customer-info';
import { paymentDecider } from './decide-payment';
import type { CustomerInfoCollected, PaymentEvent } from './payment';
import history from './recorded/payment-v1.json';

const given = specificationOf(paymentDecider);
const recorded = history as unknown as Record<PaymentEvent['type'], PaymentEvent>;
const { PaymentConfirmed, PaymentExpired, PaymentFailed } = recorded;
const CustomerInfoCollected = recorded.CustomerInfoCollected as CustomerInfoCollected;
const { terms, customer } = CustomerInfoCollected.data;
const PaymentCreated: PaymentEvent = { type: 'PaymentCreated', data: { terms, customer: null } };

const collect = (now = '2026-01-01T00:01:00.000Z'): CollectCustomerInfo => ({
  ...{ type: 'CollectCustomerInfo', customer, now },
});

test('the first customer info is kept', () =>
  given(PaymentCreated).when(collect()).then(CustomerInfoCollected));
test('it is kept where only the e-mail was known', () => {
  const { subject_id, email_sealed } = customer;
  const created: PaymentEvent = {
    type: 'PaymentCreated',
    data: { terms, customer: { subject_id, email_sealed } },
  };
  given(created).when(collect()).then(CustomerInfoCollected);
});
test('the second changes nothing, nor does one where the link has said who pays', () => {
  given(PaymentCreated, CustomerInfoCollected).when(collect()).thenRefused('customer_info_set');
  const of_link: PaymentEvent = { type: 'PaymentCreated', data: { terms, customer } };
  given(of_link).when(collect()).thenRefused('customer_info_set');
});
test('not from the expiry on, though the chain may not have been seen that far', () => {
  given(PaymentCreated).when(collect(terms.expires_at)).thenRefused('payment_expired');
  given(PaymentCreated, PaymentExpired).when(collect()).thenRefused('payment_expired');
});
test.each([PaymentConfirmed, PaymentFailed])('not once it has ended (%#)', (end) =>
  given(PaymentCreated, end).when(collect()).thenRefused('invalid_payment_state'));
test('of a payment that there is not', () =>
  given().when(collect()).thenRefused('payment_unknown'));
