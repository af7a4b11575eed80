import { ConfirmPaymentIntentBody, CreatePaymentIntentBody } from '@tender/contracts';
import { type ApiError, type FieldFault, RequestReader } from '@tender/http';

const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const creates = new RequestReader(CreatePaymentIntentBody);
const confirms = new RequestReader(ConfirmPaymentIntentBody);

/** What is said of a body; null where it is read. */
function refusal(reader: RequestReader, body: object): ApiError | null {
  try {
    reader.readBody(body, []);
    return null;
  } catch (error) {
    return error as ApiError;
  }
}
const faults = (reader: RequestReader, body: object): readonly string[] => {
  const fields = refusal(reader, body)?.details['fields'] as readonly FieldFault[] | undefined;
  return (fields ?? []).map(({ field }) => field);
};
const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`key${n}`, n]));

// Numbers of the catalogue of bad inputs.
test.each([
  ['4 to 16', 'amount', [0, -5, 1.005, '10', '', true, null, [10], { $gt: 0 }]],
  ['44', 'currency', ['USDX', '', 3]],
  ['46', 'description', ['x'.repeat(501), 7]],
  ['51, 52', 'metadata', [[], 'x', many, { ['k'.repeat(41)]: 1 }, { k: 'x'.repeat(501) }]],
  ['intents', 'capture_method', ['later', 1, true]],
  ['intents', 'expires_in_seconds', [0, -1, 1.5, '60', 31_536_001, 2 ** 53, true]],
])('%s: %s of a new intent is refused by its name', (_, field, values) => {
  for (const value of values) {
    expect([value, faults(creates, { amount: 10, [field]: value })]).toEqual([value, [field]]);
  }
});

const secret = 'pi_test_x_secret_y';
test.each([
  ['65', 'customer_wallet', ['0OIl', `${WALLET}1`, '0x52908400098527886E0F7030069857D2E4169EE7', 5, null]],
  ['21', 'client_secret', ['', 'x'.repeat(201), 7, null, {}, [secret]]],
  ['intents', 'payment_type', ['card', 1, '']],
  ['intents', 'auto_gasless', ['yes', 1]],
  ['51, 52', 'metadata', [[], many]],
])('%s: %s of a confirm is refused by its name', (_, field, values) => {
  for (const value of values) {
    const body = { customer_wallet: WALLET, client_secret: secret, [field]: value };
    expect([value, faults(confirms, body)]).toEqual([value, [field]]);
  }
});

test('a client secret that cannot be read is not shown again', () => {
  for (const client_secret of [[secret], `${secret}${'x'.repeat(200)}`, { secret }]) {
    const said = refusal(confirms, { customer_wallet: WALLET, client_secret });
    expect(JSON.stringify([said?.message, said?.details])).not.toContain(secret);
  }
});

test('null is absent; the least and the most are read', () => {
  const absent = { currency: null, description: null, capture_method: null, metadata: null };
  expect(faults(creates, { amount: 0.01, ...absent, expires_in_seconds: 1 })).toEqual([]);
  expect(faults(creates, { amount: 10, expires_in_seconds: 31_536_000 })).toEqual([]);
  expect(refusal(creates, {})?.code).toBe('missing_required_field');
  const confirm = { customer_wallet: WALLET, client_secret: secret, payment_type: 'gasless' };
  expect(faults(confirms, { ...confirm, auto_gasless: true, metadata: {} })).toEqual([]);
});
