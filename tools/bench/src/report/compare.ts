import type { Result } from './result';

/** Ratios that moved by more than this are marked. */
const MARKED = 0.1;

/** Old and new ratios side by side; absolute figures of two runs do not compare. */
export function compare(old: Result, fresh: Result): string {
  const lines = [`against ${old.commit} of ${old.started}:`];
  for (const scenario of fresh.scenarios) {
    const before = old.scenarios.find((one) => keyOf(one) === keyOf(scenario));
    if (!before) {
      lines.push(`  ${keyOf(scenario)}: new`);
      continue;
    }
    for (const [name, value] of Object.entries(scenario.ratio)) {
      const was = before.ratio[name];
      if (was === undefined || name === 'min' || name === 'max') continue;
      const change = value / was - 1;
      const mark = Math.abs(change) > MARKED ? '  <--' : '';
      const percent = `${change >= 0 ? '+' : ''}${(change * 100).toFixed(0)} %`;
      lines.push(`  ${keyOf(scenario)} ${name}: ${was} -> ${value} (${percent})${mark}`);
    }
  }
  return lines.join('\n');
}

/** How long it ran, and at which rate, may differ. */
const INCIDENTAL = new Set(['sec', 'rounds', 'pool', 'arrivals_per_s']);

function keyOf({ name, params }: Result['scenarios'][number]): string {
  const telling = Object.entries(params).filter(([key]) => !INCIDENTAL.has(key));
  const loop = 'arrivals_per_s' in params ? ['open loop'] : [];
  return [name, ...loop, ...telling.map((pair) => pair.join('='))].join(' ');
}
