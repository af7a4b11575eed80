import type { Attack } from './attack';
import { ALL_ATTACKS } from './attacks/all';
import { controls } from './controls';
import { playMutants, type Hunted } from './mutants/play-mutants';
import { signerMutants } from './mutants/signer-sources';
import { chosen, readOptions, type Options, type Part } from './options';
import { controlsOf, huntedLine, tableOf } from './report';
import { playAll, type Played } from './run-attacks';
import { Battlefield } from './stage/battlefield';
import { Target } from './stage/target';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const USAGE_EXIT = 64;

/** False where an attack was not refused, an honest transfer was, or a signer with a guard less went unnoticed. */
async function playAllOf(options: Options): Promise<boolean> {
  const attacks = chosen(ALL_ATTACKS, options.only);
  say('attack: starting Postgres, a local chain and both signers');
  const field = await Battlefield.open();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void field.close().finally(() => process.exit(1)));
  }
  try {
    const is_well = await playSuite(attacks, field, options);
    if (options.mutants === null) return is_well;
    return (await playPart(options, options.mutants, attacks, field)) && is_well;
  } finally {
    await field.close();
  }
}

async function playSuite(
  attacks: readonly Attack[],
  field: Battlefield,
  { json }: Options,
): Promise<boolean> {
  const started = Date.now();
  const target = await Target.open(field);
  const before = await controls(target);
  const played = await playAll(attacks, target, progressOf(attacks.length));
  const after = await controls(target);
  const bad = played.filter(({ refused }) => !refused);
  const is_well = bad.length === 0 && [...before, ...after].every(({ fault }) => fault === null);
  const seconds = (Date.now() - started) / 1000;
  if (json) print(JSON.stringify({ is_well, seconds, before, after, attacks: played.map(plain) }));
  else print(`${tableOf(played)}\n\n${controlsOf('before', before)}\n${controlsOf('after', after)}`);
  say(`attack: ${played.length - bad.length} refused, ${bad.length} not, ${seconds.toFixed(1)} s`);
  return is_well;
}

/** Signers with a guard less: of all of them a part, which is every so-many-th. */
async function playPart(
  { json }: Options,
  { number, of }: Part,
  attacks: readonly Attack[],
  field: Battlefield,
): Promise<boolean> {
  const started = Date.now();
  const all = signerMutants();
  const part = all.filter((_, place) => place % of === number - 1);
  say(`attack: ${part.length} of ${all.length} guards are taken away, one at a time`);
  const hunted = await playMutants(part, attacks, field, (one) => {
    if (!json) print(huntedLine(one));
  });
  const survived = hunted.filter(({ found_by }) => found_by === null);
  const seconds = (Date.now() - started) / 1000;
  if (json) print(JSON.stringify({ seconds, mutants: hunted.map(plainMutant) }));
  say(`attack: ${part.length - survived.length} found, ${survived.length} SURVIVED, ${seconds.toFixed(1)} s`);
  return survived.length === 0;
}

const plainMutant = ({ mutant: { source: _, ...mutant }, found_by }: Hunted) => ({
  ...mutant,
  found_by,
});

const plain = ({ attack: { area, name, expects }, told, refused }: Played) => ({
  ...{ area, name, expects, told, refused },
});

function progressOf(all: number): (played: Played) => void {
  let [done, area] = [0, ''];
  return ({ attack }) => {
    done += 1;
    if (attack.area === area) return;
    ({ area } = attack);
    say(`attack: ${area} (${done} of ${all})`);
  };
}

async function main(args: readonly string[]): Promise<void> {
  const is_well = await playAllOf(readOptions(args));
  process.exit(is_well ? 0 : 1);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  say(`attack: ${(error as Error).stack ?? String(error)}`);
  process.exit(USAGE_EXIT);
});
