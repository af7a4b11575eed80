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

test('what a service has said of itself is passed on, and a fault of ours keeps its stack', () => {
  expect(explain('Tender', fault('ServiceFault', 'DATABASE_URL is not set.'))).toBe(
    'Tender cannot start: DATABASE_URL is not set.',
  );
  expect(explain('Tender', fault('DemoFault', 'demo.json is damaged: delete it.'))).toBe(
    'Tender cannot start: demo.json is damaged: delete it.',
  );
  expect(explain('Tender', new Error('x is not a function'))).toContain('run-until-stopped.spec');
});
