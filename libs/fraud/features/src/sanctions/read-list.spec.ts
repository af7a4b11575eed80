import { createHash } from 'node:crypto';
import { BrokenList, readList } from './read-list';
import { SAMPLE_LIST } from './sample-list';

async function* inPieces(text: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Buffer, size = 64 * 1024) {
  const found: string[] = [];
  const list = await readList(
    inPieces(text, size),
    async (addresses) => void found.push(...addresses),
    2,
  );
  return { ...list, found };
}

const sample = SAMPLE_LIST.bytes.toString();
const SAMPLE_ADDRESSES = [
  '149w62rY42aZBox8fGcmqNsXUzSStKeq8C',
  '0x098B716B8Aaf21512996dC57EB0615e2383E2f96',
  'HAYrjrL4BDxNcJCxCoAm81ijDXqf17T9ymsiFyYGtxkD',
  '6HyMjBe695LZU9M2mV4Hxpf5n9MtmQ9t7EQGnDNNKEXv',
];

test.each([1, 7, 100_000])(
  'addresses of every digital currency are found, in pieces of %i bytes',
  async (size) => {
    expect(await read(sample, size)).toEqual({
      sha256: createHash('sha256').update(sample).digest('hex'),
      issued_on: '2026-01-05',
      found: SAMPLE_ADDRESSES,
    });
  },
);

test('a type of address that is new counts; other features do not', async () => {
  const coming = sample
    .replace('Digital Currency Address - SOL', 'Digital Currency Address - NEWCOIN')
    .replace('FeatureTypeID="344"', 'FeatureTypeID="8"');
  expect((await read(coming)).found).toEqual(SAMPLE_ADDRESSES.slice(1));
});

test('a prefix of the namespace, comments, CDATA and entities are read as XML says', async () => {
  const prefixed = sample
    .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1s:')
    .replace('xmlns=', 'xmlns:s=')
    .replace(SAMPLE_ADDRESSES[2] as string, `<!-- x --><![CDATA[${SAMPLE_ADDRESSES[2]}]]>`);
  expect((await read(prefixed)).found).toEqual(SAMPLE_ADDRESSES);
});

test.each([
  ['half a file', sample.slice(0, sample.length / 2), /cut|well-formed/],
  ['nothing', '', /cut|well-formed/],
  ['a page that says sorry', '<html><body>Try later</body></html>', /begins with <html>/],
  ['tags that do not match', sample.replace('</Profile>', '</Party>'), /well-formed/],
  ['no date', sample.replace(/<DateOfIssue.*<\/DateOfIssue>/, ''), /date of issue/],
  ['no type of digital currency', sample.replaceAll('Digital Currency', 'Postal'), /feature type/],
  ['another encoding', Buffer.from([0x3c, 0xff, 0xfe, 0x3e]), /UTF-8/],
])('%s is broken', async (_, text, fault) => {
  const reading = read(text);
  await expect(reading).rejects.toThrow(fault);
  await expect(reading).rejects.toBeInstanceOf(BrokenList);
});

test('an entity that doubles itself is not expanded', async () => {
  const bomb = sample.replace(
    '<Sanctions',
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<Sanctions',
  );
  const text = bomb.replace('149w62rY42aZBox8fGcmqNsXUzSStKeq8C', '&b;');
  await expect(read(text)).rejects.toThrow(/well-formed/);
});
