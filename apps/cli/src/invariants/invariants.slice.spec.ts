import { OpsStage } from '../testing/ops-stage';

const stage = new OpsStage();

interface Line {
  readonly line: string;
}
const invariants = async () => {
  const { code, said } = await stage.tender('ops invariants');
  const lines = said.map((line) => JSON.parse(line) as Line);
  return { code, lines };
};
const held = (checked: number, broken: number) => ({
  ...{ line: 'invariant', context: 'payments', mode: 'test', checked, broken },
});

test('a system whose objects break nothing', async () => {
  await stage.writeLog(1);
  await stage.followPayments();
  const { code, lines } = await invariants();
  expect(lines.filter(({ line }) => line === 'violation')).toEqual([]);
  expect(lines).toContainEqual({ ...held(1, 0), invariant: 'M7' });
  expect(lines).toContainEqual({ ...held(1, 0), invariant: 'M8' });
  expect(code).toBe(0);
  stage.answer = 'a person';
  const { said } = await stage.tender('ops invariants');
  expect(said.filter((line) => /^payments +M8/.test(line))).toEqual([
    expect.stringMatching(/^payments +M8 +test +1 +0$/) as string,
  ]);
  expect(said.at(-1)).toBe('All that was looked at holds.');
});

test('each object that breaks one is named, and the exit code is 1', async () => {
  // The payments of such a log are all paid by one transaction.
  await stage.writeLog(2);
  await stage.followPayments();
  const { code, lines } = await invariants();
  expect(lines.filter(({ line }) => line === 'violation')).toEqual([
    {
      ...{ line: 'violation', invariant: 'M7', context: 'payments' },
      ...{ stream: 'payment.test-pay_test_1', says: 'paid by the same money as pay_test_2' },
    },
    {
      ...{ line: 'violation', invariant: 'M7', context: 'payments' },
      ...{ stream: 'payment.test-pay_test_2', says: 'paid by the same money as pay_test_1' },
    },
  ]);
  expect(lines).toContainEqual({ ...held(2, 2), invariant: 'M7' });
  expect(code).toBe(1);
  stage.answer = 'a person';
  const { said } = await stage.tender('ops invariants');
  expect(said.slice(-3)).toEqual([
    'M7 payment.test-pay_test_1: paid by the same money as pay_test_2',
    'M7 payment.test-pay_test_2: paid by the same money as pay_test_1',
    '2 faults. docs/operations.md says of each invariant what to do.',
  ]);
});

test('a credit that no table lists is looked at, too', async () => {
  await stage.writeLog(1);
  const of_credit = `select n, 'credit.test-S1:account:mint', 'credit.test', n - 100, gen_random_uuid(),
    'CreditAllocated', json_build_object('payment_id', 'pay_test_' || n), json_build_object('mode', 'test')
    from generate_series(100, 101) as n`;
  await stage.readModels.query(`insert into log.events ${of_credit}`);
  const { lines } = await invariants();
  expect(lines.filter(({ line }) => line === 'violation')).toEqual([
    {
      ...{ line: 'violation', invariant: 'M7', context: 'chain-indexer' },
      ...{ stream: 'credit.test-S1:account:mint', says: 'it was allocated to pay_test_100, pay_test_101' },
    },
  ]);
});
