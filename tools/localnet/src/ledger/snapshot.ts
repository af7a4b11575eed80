import {
  closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, unlinkSync, writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Vm, type VmAccount } from './vm';

/** The state of all accounts after every log line before `logEnd`. */
export interface SnapshotHeader {
  readonly slot: number;
  readonly logEnd: number;
  readonly hashesExpired: number;
  /** Programs that own accounts: the dump below, and the next one, ask for each. */
  readonly owners: readonly string[];
  /** `accounts` when the VM cannot write itself: above about 43,690 accounts it throws. */
  readonly form: 'vm' | 'accounts';
  readonly crc: number;
}

export interface SnapshotFile {
  readonly path: string;
  readonly slot: number;
}

type StoredAccount = readonly [
  address: string, lamports: string, owner: string, data: string, executable: 0 | 1,
];

const NAME = /^snapshot-(\d+)\.bin$/;

/** The snapshots in a folder, newest first. */
export function listSnapshots(folder: string): SnapshotFile[] {
  return readdirSync(folder)
    .map((name) => ({ path: join(folder, name), slot: Number(NAME.exec(name)?.[1] ?? -1) }))
    .filter(({ slot }) => slot >= 0)
    .sort((a, b) => b.slot - a.slot);
}

export const removeSnapshot = (snapshot: SnapshotFile): void => unlinkSync(snapshot.path);

/** Writes one file, complete or not at all. */
export function writeSnapshot(
  folder: string,
  vm: Vm,
  at: { slot: number; logEnd: number; owners: Iterable<string> },
): SnapshotFile {
  const owners = [...at.owners];
  const { form, bytes } = serialize(vm, owners);
  const { slot, logEnd } = at;
  const { hashesExpired } = vm;
  const header: SnapshotHeader = { slot, logEnd, hashesExpired, owners, form, crc: crc32(bytes) };
  const path = join(folder, `snapshot-${slot}.bin`);
  const file = openSync(`${path}.tmp`, 'w', 0o600);
  for (const part of [Buffer.from(`${JSON.stringify(header)}\n`), bytes]) {
    for (let written = 0; written < part.length; ) written += writeSync(file, part, written);
  }
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
  return { path, slot };
}

/** Null when the file is damaged: an older one, or the log from its start, does the same. */
export function readSnapshot(file: SnapshotFile): { header: SnapshotHeader; vm: Vm } | null {
  const content = readFileSync(file.path);
  const end = content.indexOf('\n');
  if (end < 0) return null;
  const header = JSON.parse(content.toString('utf8', 0, end)) as SnapshotHeader;
  const bytes = content.subarray(end + 1);
  if (crc32(bytes) !== header.crc) return null;
  if (header.form === 'vm') return { header, vm: Vm.restore(bytes, header.hashesExpired) };
  const vm = Vm.fresh();
  vm.expireHashesTo(header.hashesExpired);
  restoreAccounts(vm, bytes);
  return { header, vm };
}

function serialize(vm: Vm, owners: readonly string[]): Pick<SnapshotHeader, 'form'> & {
  bytes: Uint8Array;
} {
  try {
    return { form: 'vm', bytes: vm.toBytes() };
  } catch {
    return { form: 'accounts', bytes: dumpAccounts(vm, owners) };
  }
}

function dumpAccounts(vm: Vm, owners: readonly string[]): Buffer {
  const lines: string[] = [];
  for (const owner of owners) {
    for (const { address, account } of vm.accountsOwnedBy(owner)) {
      const { lamports, data, executable } = account;
      const stored: StoredAccount = [
        address, lamports.toString(), owner, data.toString('base64'), executable ? 1 : 0,
      ];
      lines.push(JSON.stringify(stored));
    }
  }
  return Buffer.from(lines.join('\n'));
}

function restoreAccounts(vm: Vm, bytes: Uint8Array): void {
  const stored = Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter((line) => line.length > 0)
    .map((line) => JSON.parse(line) as StoredAccount);
  // The VM wants a program's data to exist before the program that points at it.
  for (const wanted of [0, 1]) {
    for (const [address, lamports, owner, data, executable] of stored) {
      if (executable !== wanted) continue;
      const account: VmAccount = {
        lamports: BigInt(lamports),
        owner,
        data: Buffer.from(data, 'base64'),
        executable: executable === 1,
      };
      vm.setAccount(address, account);
    }
  }
}
