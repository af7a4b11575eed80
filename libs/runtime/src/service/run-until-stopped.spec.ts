import { explain } from './run-until-stopped';

const fault = (name: string, message: string): Error => Object.assign(new Error(message), { name });

test('what a person can mend is one sentence that says how', () => {
  expect(explain('payments', fault('SettingsFault', 'PORT is "x"'))).toBe(
    'payments cannot start: PORT is "x". The README lists what each setting takes.',
  );
  expect(explain('payments', fault('MasterKeyFault', 'was it made under another MASTER_KEY?'))).toBe(
    'payments cannot start: was it made under another MASTER_KEY? Give the MASTER_KEY that DATA_DIR began with, or none if it began with none.',
  );
});

test.each([
  ['57P01', 'terminating connection due to administrator command'],
  ['57P02', 'terminating connection because of crash of another server process'],
  ['57P03', 'the database system is not yet accepting connections'],
])('a database that is away is no fault of ours: %s', (code, message) => {
  expect(explain('payments', Object.assign(new Error(message), { code }))).toBe(
    `payments cannot start: ${message}. Start it again once the server of DATABASE_URL takes connections.`,
  );
});

test('what a service has said of itself is passed on, and a fault of ours keeps its stack', () => {
  expect(explain('Tender', fault('ProgramFault', 'DATABASE_URL is not set.'))).toBe(
    'Tender cannot start: DATABASE_URL is not set.',
  );
  expect(explain('Tender', fault('DemoFault', 'demo.json is damaged: delete it.'))).toBe(
    'Tender cannot start: demo.json is damaged: delete it.',
  );
  expect(explain('Tender', new Error('x is not a function'))).toContain('run-until-stopped.spec');
});
