import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const TOP = 25;
const IDLE = new Set(['(idle)', '(root)']);

/** Where the profiled processes spent their time: the functions with the most time of their own. */
export function topFunctions(folder: string): string {
  const self_us = new Map<string, number>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as CpuProfile;
    const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
    for (const [index, id] of profile.samples.entries()) {
      const name = names.get(id) ?? '?';
      const spent = profile.timeDeltas[index] ?? 0;
      if (!IDLE.has(name)) self_us.set(name, (self_us.get(name) ?? 0) + spent);
    }
  }
  const total = [...self_us.values()].reduce((a, b) => a + b, 0);
  const top = [...self_us].sort(([, a], [, b]) => b - a).slice(0, TOP);
  return [
    `own time of functions, of ${(total / 1e6).toFixed(1)} s that were not idle:`,
    ...top.map(([name, us]) => `  ${((us / total) * 100).toFixed(1).padStart(5)} %  ${name}`),
  ].join('\n');
}

function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName || '(anonymous)';
  if (!url) return name;
  const place = url.replace(/^file:\/\//, '').replace(/^.*\/node_modules\//, '');
  const shown = place.startsWith('/') ? path.relative(process.cwd(), place) : place;
  return `${name}  ${shown}:${lineNumber + 1}`;
}
