// Which tests are played on which run of the program, and playing them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { jest, listTests } from './jest.mjs';
import { needsOn, readTestFile, RUNS } from './test-files.mjs';
import { missingNeeds, whatItTakes } from './test-needs.mjs';
import { startTestServers } from './test-servers.mjs';
import { eachAlone, groupSpecs } from './spec-groups.mjs';
import { fail, root, say } from './terminal.mjs';

/**
 * For two cores. Many specs and stories of the embedded run wait for slots, leases or a browser more than they work;
 * two programs of seven services leave little for a third.
 */
const WORKERS = { embedded: 3, postgres: 2, eventstore: 2 };
/** Stories start the same programs hundreds of times: a third of the work of a start is compiling. */
const COMPILE_CACHE = join(root, '.nx', 'compile-cache');

/**
 * `{ played, left_out }`: of the test files that jest's arguments mean, those to play on each of these runs, and
 * `[{ need, files }]` that cannot be played on this machine. `everywhere` plays a story on every run that it can be
 * played on, not only on those of each landing.
 */
export async function planTests({ args = [], runs = RUNS, everywhere = false }) {
  const files = read(await listTests(args));
  const wanted = runs.flatMap((run) =>
    files
      .filter((file) => (everywhere ? file.runs : file.landing).includes(run))
      .map((file) => ({ run, file, needs: needsOn(run, file) })),
  );
  const missing = missingNeeds(wanted.flatMap(({ needs }) => needs));
  const can = ({ needs }) => !needs.some((need) => missing.includes(need));
  const played = runs.map((run) => ({
    run,
    files: wanted.filter((one) => one.run === run && can(one)).map(({ file }) => file),
  }));
  const left_out = missing.map((need) => ({
    need,
    files: wanted.filter(({ needs }) => needs.includes(need)).map(({ run, file }) => `${file.path} (${run})`),
  }));
  return { played: played.filter(({ files: some }) => some.length > 0), left_out };
}

function read(paths) {
  try {
    return paths.map(readTestFile);
  } catch (error) {
    return fail(error.message, 'CONTRIBUTING.md says what the first comment of a test takes.');
  }
}

/** What jest found of these files on one run; what they share is started before them. */
async function play({ run, name, files }, args) {
  say(`${files.length} files, ${name}`);
  const postgres = files.some(({ kind }) => kind === 'slice' || kind === 'conformance');
  const program = files.some((file) => file.program === 'shared') ? run : null;
  const kafka = run !== 'embedded' && files.some((file) => file.program === 'own');
  // Who asks for some wants to see each file by itself.
  const groups = args.length === 0 ? groupSpecs(files) : eachAlone(files);
  const folder = mkdtempSync(join(tmpdir(), 'tender-chosen-'));
  let servers;
  try {
    process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
    servers = await startTestServers({ postgres, program, kafka });
    const TENDER_CHOSEN = join(folder, 'files.json');
    const long = files.filter(({ is_long }) => is_long).map(({ path }) => join(root, path));
    writeFileSync(TENDER_CHOSEN, JSON.stringify({ all: groups.paths, long: [...long, ...groups.slices] }));
    const inOrder = [
      ...groups.args,
      `--filter=${join(root, 'scripts/chosen-tests.cjs')}`,
      `--testSequencer=${join(root, 'scripts/longest-first.cjs')}`,
      `--maxWorkers=${WORKERS[run]}`,
    ];
    const found = await jest([...inOrder, ...args], { ...servers.env, TENDER_RUN: run, TENDER_CHOSEN });
    found.files = groups.split(found.files);
    const played = new Set(found.files.map(({ path }) => path));
    const forgotten = files.filter(({ path }) => !played.has(path));
    for (const { path } of forgotten) say(`jest has not played ${path}`);
    return { ...found, failed: found.failed + forgotten.length, ok: found.ok && forgotten.length === 0 };
  } catch (error) {
    say(error.message);
    return { passed: 0, failed: 1, skipped: 0, ok: false, files: [], failures: [] };
  } finally {
    await servers?.stop();
    groups.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Plays one run after the other: `{ steps, files, failures, passed, failed }`, with `{ name, seconds, tests, ok }` of
 * each run. A test that is marked to be skipped proves nothing, and counts as failed unless the arguments for jest
 * filter tests: leaving out is what a filter is for.
 */
export async function playAll(played, args = []) {
  const found = { steps: [], files: [], failures: [], passed: 0, failed: 0 };
  for (const one of played.flatMap(byProgram)) {
    const started = Date.now();
    const { passed, failed, skipped, ok, files, failures } = await play(one, args);
    const forgotten = args.length === 0 ? skipped : 0;
    if (forgotten > 0) say(`${forgotten} tests are marked to be left out: each counts as failed`);
    found.passed += passed;
    found.failed += failed + forgotten;
    found.files.push(...files.map((file) => ({ ...file, run: one.run })));
    found.failures.push(...failures.map((failure) => ({ ...failure, run: one.run })));
    const seconds_taken = (Date.now() - started) / 1000;
    found.steps.push({
      ...{ name: one.name, seconds: seconds_taken, tests: passed + failed },
      ok: ok && forgotten === 0,
    });
  }
  // A run without a test proves nothing.
  if (found.passed + found.failed === 0) {
    say('nothing was played: `npm run scenarios -- --all` also plays what a landing leaves out on these runs');
    found.failed += 1;
  }
  return found;
}

/**
 * On services the stories that share a program come first: together with two stories that start programs of their own,
 * three dozen processes would compete for the cores.
 */
function byProgram({ run, files }) {
  if (run === 'embedded') return [{ run, name: 'specs and stories, embedded', files }];
  const own = files.filter(({ program }) => program === 'own');
  const shared = files.filter(({ program }) => program !== 'own');
  return [
    { run, name: `stories that share a program, ${run}`, files: shared },
    { run, name: `stories with a program of their own, ${run}`, files: own },
  ].filter(({ files: some }) => some.length > 0);
}

let is_reported = false;

/** The last line is a result also when it does not come to `report`. */
export function promiseResult() {
  process.on('exit', () => {
    if (!is_reported) process.stdout.write('0 passed, 1 failed\n');
  });
}

/**
 * Of the message of a failure: what was expected, and the last words of a program that ended. The full message stands
 * further up, where the test ran.
 */
const FIRST_LINES = 12;
const LAST_LINES = 24;

function shortened(message) {
  const lines = stripVTControlCharacters(message).split('\n');
  const left_out = lines.length - FIRST_LINES - LAST_LINES;
  if (left_out <= 0) return lines;
  return [...lines.slice(0, FIRST_LINES), `… ${left_out} lines …`, ...lines.slice(-LAST_LINES)];
}

/** Says what failed, what was left out and what that takes, then the result; answers whether that is well. */
export function report({ steps, failures, passed, failed }, left_out) {
  is_reported = true;
  for (const { run, test, message } of failures) {
    process.stdout.write(`failed (${run}): ${test}\n  ${shortened(message).join('\n  ')}\n`);
  }
  for (const { need, files } of left_out) {
    say(`left out, ${files.length} files of tests that need ${whatItTakes(need)}:`);
    for (const file of files) say(`  ${file}`);
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 && steps.every(({ ok }) => ok);
}
