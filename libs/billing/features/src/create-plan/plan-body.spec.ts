import { CreatePlanBody } from '@tender/contracts';
import { RequestReader } from '@tender/http';

const plans = new RequestReader(CreatePlanBody);
const reading = (interval_count: unknown) => () =>
  plans.readBody({ name: 'Gold', amount: 9.5, billing_interval: 'daily', interval_count }, []);

test.each([1, 14, 3650])('a period of %i days is read', (interval_count) => {
  expect(reading(interval_count)).not.toThrow();
});

test.each([0, -1, 1.5, '14', 3651])('an interval_count of %j is refused by its name', (interval_count) => {
  expect(reading(interval_count)).toThrow('interval_count');
});
