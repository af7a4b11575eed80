import { readCommand } from './arguments';
import { UsageFault } from './faults';

const asked = (line: string) => readCommand(line.split(' ').filter(Boolean));
const read = (line: string) => asked(line).command;

test.each([
  ['', { command: 'help' }],
  ['ops', { command: 'help' }],
  ['ops replay --help', { command: 'help' }],
  ['ops projections', { command: 'projections' }],
  ['ops replay payments.receipts', replay({ projection: 'payments.receipts' })],
  ['ops replay receipts --dry-run', replay({ projection: 'receipts', dry_run: true })],
  ['ops replay --all', replay({ projection: null })],
  ['ops replay --all --yes', replay({ projection: null, yes: true })],
  ['ops replay receipts --to 3', replay({ projection: 'receipts', to: 3 })],
  ['ops replay receipts --to=roll-back', replay({ projection: 'receipts', to: 'roll-back' })],
  ['ops replay receipts --to drop-old', replay({ projection: 'receipts', to: 'drop-old' })],
  ['ops migrate-log', { command: 'migrate-log', dry_run: false }],
  ['ops migrate-log --dry-run', { command: 'migrate-log', dry_run: true }],
  [
    'ops erase --merchant 8D8E8F90-9192-8394-9596-979899a0a1a2 --email a@b.co --yes',
    {
      ...{ command: 'erase', email: 'a@b.co', yes: true },
      merchant_id: '8d8e8f90-9192-8394-9596-979899a0a1a2',
    },
  ],
  ['ops chain-restart --mode live', { command: 'chain-restart', mode: 'live' }],
  ['ops parked', { command: 'parked', action: 'list' }],
  ['ops parked show payments:4', { command: 'parked', action: 'show', id: 'payments:4' }],
  ['ops parked retry payments:4', { command: 'parked', action: 'retry', id: 'payments:4' }],
  ['ops parked retry-all payments.x', { command: 'parked', action: 'retry-all', consumer: 'payments.x' }],
  [
    'ops parked drop payments:4 --reason spam',
    { command: 'parked', action: 'drop', id: 'payments:4', reason: 'spam' },
  ],
])('tender %s', (line, command) => {
  expect(read(line)).toEqual(command);
});

test.each([
  ['pay', /there are "tender listen" and "tender ops"/],
  ['ops rebuild', /projections, replay, parked, invariants, erase, audit, chain-restart and migrate-log/],
  ['ops replay', /needs a name/],
  ['ops replay one two', /"two"/],
  ['ops replay --all one', /"one"/],
  ['ops replay one --to latest', /number of a generation, roll-back or drop-old/],
  ['ops replay one --to 0', /number of a generation/],
  ['ops replay one --reason no', /does not take --reason/],
  ['ops migrate-log esdb://x', /"esdb:\/\/x"/],
  ['ops projections --dry-run', /does not take --dry-run/],
  ['ops projections --jsn', /--jsn/],
  ['ops erase --email a@b.co', /--merchant <id>/],
  ['ops erase --merchant m1 --email a@b.co', /a UUID/],
  ['ops erase --merchant 8d8e8f90-9192-8394-9596-979899a0a1a2', /--email/],
  ['ops parked drop payments:4', /add --reason/],
  ['ops parked drop', /needs a name/],
  ['ops parked delete x', /show, retry, retry-all and drop/],
])('tender %s is a usage fault that names the way out', (line, message) => {
  expect(() => read(line)).toThrow(UsageFault);
  expect(() => read(line)).toThrow(message);
});

test('every command speaks JSON when it is asked to', () => {
  for (const line of ['ops projections', 'ops parked', 'ops replay receipts', 'ops migrate-log']) {
    expect([asked(line).json, asked(`${line} --json`).json]).toEqual([false, true]);
  }
});

test('a reason of spaces is none', () => {
  expect(() => readCommand(['ops', 'parked', 'drop', 'payments:1', '--reason', '  '])).toThrow(/--reason/);
});

function replay(changes: object): object {
  return { command: 'replay', projection: null, dry_run: false, yes: false, to: 'new', ...changes };
}
