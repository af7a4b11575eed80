import {
  cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../stage/signer-files';
import type { Mutant } from './find-mutants';

export type Changed = Pick<Mutant, 'file' | 'source'>;

/** What a signer is built of. */
const PACKAGES = [
  ...['apps/signer', 'libs/signer/domain', 'libs/signer/features'],
  ...['libs/threshold', 'libs/transactions', 'libs/kernel'],
];

/** The built signer once more, to take guards out of. Nothing in the repository is touched. */
export class MutantTree {
  readonly root = mkdtempSync(join(tmpdir(), 'tender-mutant-'));

  constructor() {
    this.linkPackages();
    for (const folder of PACKAGES) {
      for (const part of ['package.json', 'dist']) {
        cpSync(join(ROOT, folder, part), join(this.root, folder, part), { recursive: true });
      }
    }
  }

  /** While sources of the signer are compiled anew. */
  async with<Result>(changed: readonly Changed[], work: () => Promise<Result>): Promise<Result> {
    const built = changed.map(({ file, source }) => {
      const path = join(this.root, builtOf(file));
      return { path, before: readFileSync(path), after: compiled(source) };
    });
    for (const { path, after } of built) writeFileSync(path, after);
    try {
      return await work();
    } finally {
      for (const { path, before } of built) writeFileSync(path, before);
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }

  /** Those of npm as they are; ours are the ones of this tree. */
  private linkPackages(): void {
    const modules = join(ROOT, 'node_modules');
    const own = join(this.root, 'node_modules', '@tender');
    mkdirSync(own, { recursive: true });
    for (const name of readdirSync(modules)) {
      if (name.startsWith('.') || name === '@tender') continue;
      symlinkSync(join(modules, name), join(dirname(own), name));
    }
    for (const folder of PACKAGES) {
      const { name } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      symlinkSync(join(this.root, folder), join(dirname(own), name));
    }
  }
}

const builtOf = (file: string): string =>
  file.replace('/src/', '/dist/').replace(/\.ts$/, '.js');

const OPTIONS = { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.CommonJS };
const compiled = (source: string): string =>
  ts.transpileModule(source, { compilerOptions: { ...OPTIONS, esModuleInterop: true } }).outputText;
