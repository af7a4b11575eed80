import { CreateInvoiceBody } from '@tender/contracts';
import { RequestReader } from '@tender/http';
import { WORK } from '../testing/invoices';

const invoices = new RequestReader(CreateInvoiceBody);
const reading = (description: unknown) => () => invoices.readBody({ ...WORK, description }, []);

test.each(['', '   ', '\u200b', 'x'.repeat(501), 7])('a description that says nothing, or too much, is refused: %j', (description) => {
  expect(reading(description)).toThrow('description');
});

test('a description may have 500 characters, in any script', () => {
  expect(reading('x'.repeat(500))).not.toThrow();
  expect(reading('Ẹ̀kọ́ 漢字 🧵')).not.toThrow();
});
