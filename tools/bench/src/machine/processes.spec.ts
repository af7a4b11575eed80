import { cpuByName, processTree, rowOfStat, treeCpu, type ProcessRow } from './processes';

/** State, parent, eleven numbers of no interest, then the four CPU times in ticks of 10 ms. */
const stat = (name: string, parent: number, ticks: string) =>
  `7 (${name}) S ${parent} 7 7 0 -1 4194304 1 2 3 4 ${ticks} 20 0 1 0`;

test('CPU time is that of the process and of the children that it has waited for', () => {
  expect(rowOfStat(7, stat('node', 3, '100 20 3 1'))).toMatchObject({ parent: 3, cpu_s: 1.24 });
});

test('a program may have spaces and parentheses in its name', () => {
  expect(rowOfStat(7, stat('a) S 9 (b', 3, '0 0 0 0'))).toMatchObject({ name: 'a) S 9 (b', parent: 3 });
});

test('a tree is the process and all below it, nothing else', () => {
  const row = (pid: number, parent: number): [number, ProcessRow] => [
    pid,
    { pid, parent, name: '', cpu_s: pid },
  ];
  const rows = new Map([row(1, 0), row(5, 1), row(6, 5), row(7, 6), row(8, 1)]);
  expect(processTree(5, rows).map(({ pid }) => pid)).toEqual([5, 6, 7]);
  expect(treeCpu(5, rows)).toBe(18);
  expect(processTree(99, rows)).toEqual([]);
});

test('CPU by name is in percent of a core, from the first look on, with processes that began since', () => {
  const row = (pid: number, name: string, cpu_s: number): ProcessRow => {
    return { pid, parent: 1, name, cpu_s };
  };
  const before = [row(1, 'node', 4), row(2, 'postgres', 1), row(3, 'postgres', 2)];
  const after = [row(1, 'node', 4.5), row(2, 'postgres', 1.1), row(3, 'postgres', 2.2), row(4, 'node', 0.3)];
  const percents = cpuByName(before, after, new Map([[1, 'gateway']]), 10);
  expect(Object.keys(percents).sort()).toEqual(['gateway', 'node', 'postgres', 'total']);
  expect(percents['gateway']).toBeCloseTo(5);
  expect(percents['postgres']).toBeCloseTo(3);
  expect(percents['node']).toBeCloseTo(3);
  expect(percents['total']).toBeCloseTo(11);
});
