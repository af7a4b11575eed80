import { CreatePaymentLinkBody, Customer } from '@tender/contracts';
import { type ApiError, type FieldFault, RequestReader } from '@tender/http';

const links = new RequestReader(CreatePaymentLinkBody);
const customers = new RequestReader(Customer);

/** The fields at fault; none for what is read. */
function faults(reader: RequestReader, body: object): readonly string[] {
  try {
    reader.readBody(body, []);
    return [];
  } catch (error) {
    const { fields } = (error as ApiError).details as { readonly fields: readonly FieldFault[] };
    return fields.map(({ field }) => field);
  }
}

// Numbers of the catalogue of bad inputs.
test.each([
  ['57', 'expires_at', ['2026-02-30T00:00:00Z', '2026-05-31', '2026-05-31T12:00:00', 7, 'soon']],
  ['58', 'max_uses', [0, -1, 1.5, 2 ** 53, '5', true]],
  ['4 to 16', 'amount', [0, -5, 1.005, '10', true, null, [1]]],
  ['44', 'currency', ['USDX', 3]],
  ['45', 'token', ['BTC']],
  ['shop', 'external_id', ['', 'a b', 'x'.repeat(101)]],
  ['shop', 'return_url', ['javascript:alert(1)', '/cart', 'https://u:p@s.test']],
  ['shop', 'cancel_url', ['ftp://s.test', '']],
  ['customer', 'customer', ['ada@example.com', 3]],
  ['on-ramp', 'amount_ngn', [5]],
  ['on-ramp', 'onramp', ['yes', 1]],
  ['splits', 'split_recipients', [[], [{}]]],
])('%s: %s is refused by its name', (_, field, values) => {
  for (const value of values) {
    expect([value, faults(links, { amount: 10, [field]: value })]).toEqual([value, [field]]);
  }
});

test('a customer is read with the fields of the specification, each by its rule', () => {
  expect(faults(links, { amount: 1, customer: { name: 'Ada' } })).toEqual(['customer.email']);
  expect(faults(customers, { email: 'ada@example.com', phone: '1', billing_country: 'GB' })).toEqual([]);
  // 59
  for (const billing_country of ['UK', 'xx', 'gb', '']) {
    expect(faults(customers, { email: 'ada@example.com', billing_country })).toEqual(['billing_country']);
  }
  // 54 to 56
  for (const email of ['a@b\r\nBcc: x@y', '"x@evil.com y"@good.com', `${'a'.repeat(255)}@b.co`]) {
    expect(faults(customers, { email })).toEqual(['email']);
  }
});

test('null is absent, and what a link is without them anyway may be said', () => {
  const absent = { max_uses: null, expires_at: null, customer: null, amount_ngn: null };
  const plain = { onramp: false, payer_service_charge: false, split_recipients: null };
  expect(faults(links, { amount: 10, ...absent, ...plain })).toEqual([]);
});
