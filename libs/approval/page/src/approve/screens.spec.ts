import { LANGUAGES } from '@tender/page';
import { APPROVE_VIEWS, drawnApprove, OPERATIONS, requestFor } from '../testing/approve-views';
import { firstApproveView } from './view';
import { APPROVE_WORDS } from './words/words';

const asked = (index: number, language: 'en' | 'fr' = 'en', changes: object = {}): string => {
  const operation = { ...OPERATIONS[index]!, ...changes };
  return textOf(drawnApprove({ ...firstApproveView(language), state: 'asked', request: requestFor(operation) }));
};
const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\u00A0\u202F]/g, ' ');

describe('S35: all that the passkey signs is shown', () => {
  test.each(OPERATIONS.map((operation, index) => [operation.type, operation, index] as const))('%s', (_, operation, index) => {
    for (const language of LANGUAGES) {
      const text = asked(index, language);
      const { modes, operations } = APPROVE_WORDS[language];
      expect(text).toContain(operations[operation.type].title);
      const { type: _type, ...fields } = operation;
      for (const [name, value] of Object.entries(fields)) {
        if (name === 'mode') expect(text).toContain(modes[value as 'test' | 'live']);
        else if (name !== 'per_day_cents') expect(text).toContain(value);
      }
    }
  });

  test('an amount in words of the language, to the cent', () => {
    expect(asked(1)).toContain('USD 25,000.50');
    expect(asked(1, 'fr')).toContain('25 000,50 USD');
    expect(asked(1, 'en', { per_day_cents: 1 })).toContain('USD 0.01');
    expect(asked(1, 'en', { per_day_cents: 100_000_000_000 })).toContain('USD 1,000,000,000.00');
  });

  test('test and live look different', () => {
    expect(asked(0, 'en', { mode: 'test' })).not.toBe(asked(0));
  });

  test('until when', () => {
    const time = new Intl.DateTimeFormat('en', { timeStyle: 'medium' }).format(1_800_000_000_000);
    expect(asked(0)).toContain(`Good until ${textOf(time)}.`);
  });
});

test('only a page that has said that it took it is said to have it', () => {
  expect(drawnApprove(APPROVE_VIEWS['approved']!)).not.toContain('goes on with it');
  expect(drawnApprove(APPROVE_VIEWS['taken']!)).toContain('goes on with it');
  for (const name of ['approved', 'taken']) {
    expect(drawnApprove(APPROVE_VIEWS[name]!)).toContain('credential_id');
  }
});

test('while the browser asks, a press does nothing', () => {
  expect(drawnApprove(APPROVE_VIEWS['passkey asked']!)).toContain('aria-disabled="true"');
  expect(drawnApprove(APPROVE_VIEWS['limits']!)).not.toContain('aria-disabled');
});
