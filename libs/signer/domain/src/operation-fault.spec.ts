import { OPERATION_GUARDS, operationFault } from './operation-fault';
import { malformedOperations } from './testing/attacks-on-operations';
import { inSol, refund, settlement } from './testing/requests';

test.each([
  ['refund', refund],
  ['settlement', settlement],
  ['refund in SOL', inSol(refund)],
  ['refund of the smallest amount', { ...refund, amount: '1' }],
  ['refund of the largest amount', { ...refund, amount: '18446744073709551615' }],
])('a %s is an operation', (_, op) => expect(operationFault(op)).toBeNull());

const malformed = malformedOperations({ refund, settlement });

test.each(malformed)('%s: %s is none', (says, _name, value) =>
  expect(operationFault(value)).toContain(says),
);

test.each(OPERATION_GUARDS.map((one) => [one.rule, one] as const))(
  'without “%s” something else passes',
  (_rule, one) => {
    const others = OPERATION_GUARDS.filter((other) => other !== one);
    const passes = (value: unknown): boolean => {
      try {
        return others.every(({ holds }) => holds(value as never));
      } catch {
        return false;
      }
    };
    expect(malformed.some(([, , value]) => passes(value))).toBe(true);
  },
);
