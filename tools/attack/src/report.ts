import type { Control } from './controls';
import type { Hunted } from './mutants/play-mutants';
import type { Played } from './run-attacks';

/** A table by area: each attack, what each signer has answered, and the verdict. */
export function tableOf(played: readonly Played[]): string {
  const areas = [...new Set(played.map(({ attack }) => attack.area))];
  const rows = areas.flatMap((area) => {
    const own = played.filter(({ attack }) => attack.area === area);
    const refused = own.filter((one) => one.refused).length;
    return [`\n${area}: ${refused} of ${own.length} refused as they must be`, ...own.map(lineOf)];
  });
  return rows.join('\n');
}

function lineOf({ attack, told, refused }: Played): string {
  const answers = Object.entries(told).map(([role, word]) => `${role} ${word}`);
  const verdict = refused ? 'refused' : `NOT REFUSED, must be ${attack.expects}`;
  return `  ${attack.name.padEnd(72)} ${answers.join(', ').padEnd(64)} ${verdict}`;
}

export const controlsOf = (when: string, controls: readonly Control[]): string =>
  controls
    .map(({ name, fault }) => `  ${when}: ${name} ${fault === null ? 'is signed and lands' : `FAILED: ${fault}`}`)
    .join('\n');

/** What became of one guard that was taken away. */
export function huntedLine({ mutant: { file, line, what }, found_by }: Hunted): string {
  const said = what.replace(/\s+/g, ' ').slice(0, 90);
  return `  ${found_by === null ? 'SURVIVED' : 'found'} ${file}:${line} ${said}${found_by === null ? '' : ` — by ${found_by}`}`;
}
