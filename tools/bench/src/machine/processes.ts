import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in ticks of 10 ms on every machine that Node runs on. */
const TICK_S = 0.01;

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Of the program, as the system knows it. */
  readonly name: string;
  /** User and system time of the process and of the children it has waited for, in seconds. */
  readonly cpu_s: number;
}

/** Every process of the machine, by pid. */
export function allProcesses(): Map<number, ProcessRow> {
  const rows = new Map<number, ProcessRow>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const row = processRow(Number(name));
    if (row) rows.set(row.pid, row);
  }
  return rows;
}

/** Null when the process is gone. */
export function processRow(pid: number): ProcessRow | null {
  try {
    return rowOfStat(pid, readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null;
  }
}

/** Reads the text of `/proc/<pid>/stat`. */
export function rowOfStat(pid: number, text: string): ProcessRow {
  // The program's name stands in parentheses and may hold anything, also parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  return {
    pid,
    parent: fields[1] ?? 0,
    name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    cpu_s: (utime + stime + cutime + cstime) * TICK_S,
  };
}

/** The app or tool of this repository that a process runs; null for any other program. */
export function programOf(pid: number): string | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const bundled = /\/dist\/([\w-]+)\.js/.exec(command)?.[1];
    return /(?:apps|tools)\/([\w-]+)\/dist\//.exec(command)?.[1] ?? bundled ?? null;
  } catch {
    return null;
  }
}

/** A process and all that descend from it. */
export function processTree(root: number, rows = allProcesses()): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows.values()) {
    children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  }
  const found = [rows.get(root)].filter((row) => row !== undefined);
  for (const row of found) found.push(...(children.get(row.pid) ?? []));
  return found;
}

/** CPU seconds of a whole tree so far, those of children that have ended included. */
export function treeCpu(root: number, rows = allProcesses()): number {
  return processTree(root, rows).reduce((sum, row) => sum + row.cpu_s, 0);
}

/** Proportional share of the memory that a process maps, in MB. 0 when it is gone. */
export function pssMb(pid: number): number {
  return kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss') / 1024;
}

/** Sum over a process tree: pages that several processes share count once. */
export function treePssMb(root: number): number {
  return processTree(root).reduce((sum, { pid }) => sum + pssMb(pid), 0);
}

export const rssMb = (pid: number): number => kilobytes(`/proc/${pid}/status`, 'VmRSS') / 1024;

function kilobytes(file: string, field: string): number {
  try {
    const line = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'));
    return Number(line?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/**
 * CPU between two looks at a tree, in percent of one core: of each process by its name, and of all of them as `total`.
 * Processes of one name count together.
 */
export function cpuByName(
  before: readonly ProcessRow[],
  after: readonly ProcessRow[],
  names: ReadonlyMap<number, string>,
  seconds: number,
): Record<string, number> {
  const spent = new Map(before.map(({ pid, cpu_s }) => [pid, cpu_s]));
  const percents: Record<string, number> = { total: 0 };
  for (const { pid, name, cpu_s } of after) {
    const percent = ((cpu_s - (spent.get(pid) ?? 0)) / seconds) * 100;
    const known = names.get(pid) ?? name;
    percents[known] = (percents[known] ?? 0) + percent;
    percents['total'] = (percents['total'] ?? 0) + percent;
  }
  return percents;
}
