import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hashOfLibraries } from './program-hash';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'libraries-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): string {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
  return hashOfLibraries(folder);
}

it('is another with every change of compiled code and with no other', () => {
  const first = write('payments/features/dist/details.projection.js', 'one');
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(write('payments/features/src/details.projection.ts', 'one')).toBe(first);
  expect(write('payments/features/dist/details.projection.js.map', 'one')).toBe(first);
  const second = write('kernel/dist/money.js', 'two');
  const third = write('kernel/dist/money.js', 'three');
  expect(new Set([first, second, third]).size).toBe(3);
  expect(write('kernel/dist/money.js', 'two')).toBe(second);
});

it('refuses a folder without a compiled file: every such program would be the same', () => {
  expect(() => hashOfLibraries(folder)).toThrow(/compiled libraries/);
});
