import { CreateInstallmentPlanBody } from '@tender/contracts';
import { type ApiError, type FieldFault, RequestReader } from '@tender/http';
import { THREE } from '../testing/an-installment-plan';

const creates = new RequestReader(CreateInstallmentPlanBody);

/** What is said of a body; null where it is read. */
function refusal(body: object): ApiError | null {
  try {
    creates.readBody(body, []);
    return null;
  } catch (error) {
    return error as ApiError;
  }
}
const faults = (body: object): readonly string[] => {
  const fields = refusal(body)?.details['fields'] as readonly FieldFault[] | undefined;
  return (fields ?? []).map(({ field }) => field);
};

test.each([
  ['customer_wallet', ['0OIl', '', `${THREE.customer_wallet}1`, 5]],
  ['customer_email', ['ada', 'ada@', 'a@b\r\nBcc: x@y.z', 7]],
  ['total_amount', [0, -1, 1.005, '10', true]],
  ['installment_count', [1, 25, 2.5, '3', -3]],
  ['payment_frequency_days', [0, 367, 1.5, '30', 2 ** 53]],
  ['first_payment_date', ['tomorrow', '2026-05-31', '2026-02-30T00:00:00Z', 0]],
  ['description', ['x'.repeat(501), 7]],
  ['late_fee_amount', [0, -5, 0.001, '5']],
  ['grace_period_days', [0, 367, 1.5, '7']],
  ['metadata', [[], 'x', { ['k'.repeat(41)]: 1 }]],
  ['locale', ['de', 'EN', 1]],
])('%s out of its bounds is refused by its name', (field, values) => {
  for (const value of values) {
    expect([value, faults({ ...THREE, [field]: value })]).toEqual([value, [field]]);
  }
});

test('the least and the most are read; null is absent', () => {
  const least = {
    ...{ total_amount: 0.02, installment_count: 2 },
    ...{ payment_frequency_days: 1, grace_period_days: 1 },
  };
  const most = { installment_count: 24, payment_frequency_days: 366, grace_period_days: 366 };
  const absent = { customer_email: null, first_payment_date: null, late_fee_amount: null };
  for (const body of [least, most, absent]) expect(faults({ ...THREE, ...body })).toEqual([]);
});

test('what is missing is named', () => {
  expect(refusal({})?.code).toBe('missing_required_field');
  expect(faults({}).toSorted()).toEqual(Object.keys(THREE).toSorted());
});
