import { sealedJson, sealedText, withOpenedTexts } from './sealed-text';

const sealed = { customer_email: sealedText('customer-1', 'c2VhbGVk+/='), n: 1, customer_name: null };
const json = JSON.stringify({ invoice: sealed });

test('a sealed text is opened where it is shown, whatever stands in it', async () => {
  const text = 'Adébáyọ̀ "the $& one" \\ <a@b.test>';
  const opened = await withOpenedTexts(json, async (subject_id, bytes) => {
    expect([subject_id, bytes]).toEqual(['customer-1', 'c2VhbGVk+/=']);
    return text;
  });
  expect(JSON.parse(opened)).toEqual({ invoice: { ...sealed, customer_email: text } });
});

test('that of an erased subject is null', async () => {
  const opened = await withOpenedTexts(json, async () => null);
  expect(JSON.parse(opened)).toEqual({ invoice: { ...sealed, customer_email: null } });
});

test('JSON without one stays as it is, byte for byte', async () => {
  const plain = '{ "a":"\\u0001seal|x|y", "b": "sealed|x|y" }';
  expect(await withOpenedTexts(plain, () => Promise.reject(new Error('nothing to open')))).toBe(plain);
});

test('what was sealed as JSON is that value again, and null once its subject is erased', async () => {
  const evidence = { note: 'it says "no"', 'photo $&': ['https://a.test/1.png'] };
  const told = JSON.stringify({ ...sealed, evidence: sealedJson('customer-1', 'c2VhbGVk') });
  const open = async (_: string, bytes: string) =>
    bytes === 'c2VhbGVk' ? JSON.stringify(evidence) : '{"a":1}';
  const opened = JSON.parse(await withOpenedTexts(told, open));
  expect(opened).toEqual({ ...sealed, customer_email: '{"a":1}', evidence });
  const erased = await withOpenedTexts(told, async () => null);
  expect(JSON.parse(erased)).toMatchObject({ evidence: null });
});
