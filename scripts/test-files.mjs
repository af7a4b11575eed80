// Every test file and what its first comment says of it:
//   @landing   the runs that each landing plays a story on; a story says it, a spec cannot
//   @runs      the runs that a story can be played on at all; all of them unless it says so
//   @program   `own`: a story that kills the program, or moves its clock, rates or settings, starts one for itself
//   @needs     what npm does not bring: `kafka`, `kafka-process` (one that can be killed), `git`, `history`, `chromium`,
//              `python`, `openssl` (with bash), `go`, `php`; a story on services needs Kafka without saying so
//   @takes     `minutes`: begins before the others, so that no core rests while it is the last
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { root } from './terminal.mjs';

const require = createRequire(import.meta.url);

/** The runs of the program that a story can be played on: in one process, or as services over either log. */
export const RUNS = ['embedded', 'postgres', 'eventstore'];

const NEEDS = ['kafka', 'kafka-process', 'git', 'history', 'chromium', 'python', 'openssl', 'go', 'php'];
const WORDS = { landing: RUNS, runs: RUNS, program: ['own'], needs: NEEDS, takes: ['minutes'] };

/**
 * `{ path, kind, runs, landing, program, needs, is_long }` of one file. Kinds are `unit`, `slice`, `conformance` and
 * `story`. Specs, which start what they need themselves, belong to the embedded run. Throws for a word that is not known.
 */
export function readTestFile(path) {
  return testFile(relative(root, path), readFileSync(path, 'utf8'));
}

export function testFile(path, source) {
  // Only here: what is read before the packages are installed reads no test file.
  const { extract, parse } = require('jest-docblock');
  const said = parse(extract(source));
  const words = (name) => {
    const found = (said[name] ?? '').split(/[\s,]+/).filter(Boolean);
    const unknown = found.find((word) => !WORDS[name].includes(word));
    if (unknown) throw new Error(`${path}: @${name} takes ${WORDS[name].join(', ')}, not "${unknown}"`);
    return found;
  };
  const kind = kindOf(path);
  const any = { path, kind, needs: words('needs'), is_long: words('takes').length > 0 };
  if (kind !== 'story') return { ...any, runs: ['embedded'], landing: ['embedded'], program: 'none' };
  const landing = words('landing');
  const runs = said.runs === undefined ? RUNS : words('runs');
  if (landing.length === 0) {
    throw new Error(`${path}: its first comment must say where each landing plays it, such as @landing ${RUNS[0]}`);
  }
  const impossible = landing.find((run) => !runs.includes(run));
  if (impossible) throw new Error(`${path}: @landing names ${impossible}, which @runs leaves out`);
  return { ...any, runs, landing, program: words('program')[0] ?? 'shared' };
}

function kindOf(path) {
  if (path.endsWith('.scenario.ts')) return 'story';
  return /\.(slice|conformance)\.spec\.ts$/.exec(path)?.[1] ?? 'unit';
}

/** What a file needs on that run. */
export const needsOn = (run, { kind, needs }) =>
  kind === 'story' && run !== 'embedded' ? [...new Set(['kafka', ...needs])] : needs;
