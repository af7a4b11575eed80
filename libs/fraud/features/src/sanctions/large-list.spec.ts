import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImportedList } from '@tender/fraud-domain';
import { SAMPLE_LIST } from './sample-list';

const ROOT = join(__dirname, '../../../../..');
const BYTES = 100_000_000;
const MEMORY_MB_MAX = 200;
/** A piece of the file: parties, the last of whom has a wallet. */
const PARTIES = 50;

/** A list in the published form, as long as the longest; `count` is told how many wallets it names. */
function* largeList(count: (wallets: number) => void): Generator<string> {
  const [head = '', tail = ''] = SAMPLE_LIST.bytes.toString().split(/(?=<DistinctParty )[^]*(?=<\/DistinctParties>)/);
  yield head;
  let wallets = 0;
  for (let bytes = 0; bytes < BYTES; ) {
    wallets += 1;
    const piece = piecesOf(wallets);
    bytes += piece.length;
    yield piece;
  }
  count(wallets);
  yield tail;
}

function piecesOf(piece: number): string {
  let parties = '';
  for (let party = 1; party <= PARTIES; party += 1) {
    const id = piece * PARTIES + party;
    const type = party === PARTIES ? 1167 : 8;
    parties += `<DistinctParty FixedRef="${id}"><Comment/><Profile ID="${id}" PartySubTypeID="4"><Identity ID="${id}"
      FixedRef="${id}" Primary="true" False="false"><Alias FixedRef="${id}" AliasTypeID="1403" Primary="true"
      LowQuality="false"><DocumentedName ID="${id}" FixedRef="${id}" DocNameStatusID="1"><DocumentedNamePart>
      <NamePartValue NamePartGroupID="${id}" ScriptID="215" ScriptStatusID="1" Acronym="false">${NAME}</NamePartValue>
      </DocumentedNamePart></DocumentedName></Alias></Identity><Feature ID="${id}" FeatureTypeID="${type}">
      <FeatureVersion ID="${id}" ReliabilityID="1560"><Comment/><VersionDetail DetailTypeID="1432"
      >Wa11et${String(id).padStart(38, '1')}</VersionDetail></FeatureVersion></Feature></Profile></DistinctParty>`;
  }
  return parties;
}
const NAME = 'A PARTY OF SEVERAL NAMES '.repeat(16);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tender-large-list-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a list of 100 MB is imported in less than 200 MB of memory, those of Node among them', async () => {
  const path = join(folder, 'sdn_advanced.xml');
  const hash = createHash('sha256');
  let wallets = 0;
  const hashed = new Transform({
    transform: (piece, _, done) => (hash.update(piece), done(null, piece)),
  });
  const list = Readable.from(largeList((count) => void (wallets = count)));
  await pipeline(list, hashed, createWriteStream(path));

  const child = fork(join(__dirname, '../testing/import-large-list.ts'), [path], {
    cwd: ROOT,
    execArgv: ['--conditions=source', '-r', './scripts/typescript-hook.cjs'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const told: { readonly list: ImportedList; readonly peak_mb: number }[] = [];
  child.on('message', (message) => told.push(message as never));
  await once(child, 'close');
  expect(told).toEqual([
    {
      list: expect.objectContaining({ wallets, sha256: hash.digest('hex') }) as ImportedList,
      peak_mb: expect.any(Number) as number,
    },
  ]);
  expect(told[0]?.peak_mb).toBeLessThan(MEMORY_MB_MAX);
});
