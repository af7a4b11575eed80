import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

interface TestFile {
  readonly kind: string;
  readonly runs: readonly string[];
  readonly landing: readonly string[];
  readonly program: string;
  readonly needs: readonly string[];
  readonly is_long: boolean;
}

const { readTestFile, testFile, needsOn } = jest.requireActual('../../../../scripts/test-files.mjs') as {
  readTestFile(path: string): TestFile;
  testFile(path: string, source: string): TestFile;
  needsOn(run: string, file: TestFile): readonly string[];
};

interface Ordered {
  readonly path: string;
}

/** What jest orders the files of a run by. */
const LongestFirst = jest.requireActual('../../../../scripts/longest-first.cjs') as {
  new (options: { readonly chosen: string }): {
    sort(tests: readonly Ordered[]): readonly Ordered[];
  };
};

const story = (...tags: readonly string[]) =>
  testFile('a.scenario.ts', `/**\n${tags.map((tag) => ` * ${tag}\n`).join('')} */\n`);

test('a story is played where its first comment says, and can be played everywhere', () => {
  expect(story('@landing postgres eventstore')).toMatchObject({
    ...{ landing: ['postgres', 'eventstore'], runs: ['embedded', 'postgres', 'eventstore'] },
    ...{ kind: 'story', program: 'shared', needs: [], is_long: false },
  });
});

test('it may say more', () => {
  const tags = ['@landing embedded', '@runs embedded', '@program own', '@needs history', '@takes minutes'];
  const said = { runs: ['embedded'], program: 'own', needs: ['history'], is_long: true };
  expect(story(...tags)).toMatchObject(said);
});

test.each([
  ['nothing', [], 'must say where each landing plays it'],
  ['a run that there is not', ['@landing docker'], '@landing takes embedded, postgres, eventstore, not "docker"'],
  ['a landing that cannot be', ['@landing postgres', '@runs embedded'], '@landing names postgres'],
  ['a need that is not known', ['@landing embedded', '@needs luck'], 'not "luck"'],
])('a story that says %s is refused', (_, tags, complaint) => {
  expect(() => story(...tags)).toThrow(complaint);
});

test('every story says where a landing plays it', () => {
  const folder = path.join(__dirname, '../stories');
  const stories = readdirSync(folder).filter((name) => name.endsWith('.scenario.ts'));
  expect(stories.length).toBeGreaterThan(15);
  for (const name of stories) expect(readTestFile(path.join(folder, name)).kind).toBe('story');
});

test('a story on services needs Kafka, a spec what it says', () => {
  const on = (run: string) => needsOn(run, story('@landing embedded', '@needs history'));
  expect([on('embedded'), on('postgres')]).toEqual([['history'], ['kafka', 'history']]);
  const spec = testFile('x.conformance.spec.ts', '/** @needs kafka */\n');
  expect([spec.kind, spec.runs, needsOn('embedded', spec)]).toEqual(['conformance', ['embedded'], ['kafka']]);
  expect(testFile('x.spec.ts', 'test')).toMatchObject({ kind: 'unit', landing: ['embedded'], needs: [] });
});

test('what takes minutes begins first, the others as jest would have them: the largest first', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tender-order-'));
  const chosen = path.join(folder, 'files.json');
  writeFileSync(chosen, JSON.stringify({ all: ['small', 'large', 'long'], long: ['long'] }));
  const sizes: Readonly<Record<string, number>> = { small: 1, large: 9, long: 3 };
  const context = { config: { cache: false }, hasteFS: { getSize: (name: string) => sizes[name] } };
  const order = new LongestFirst({ chosen });
  const tests = ['small', 'large', 'long'].map((name) => ({ path: name, context }));
  expect(order.sort(tests).map((one) => one.path)).toEqual(['long', 'large', 'small']);
  rmSync(folder, { recursive: true });
});
