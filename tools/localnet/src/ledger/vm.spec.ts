import { readFileSync } from 'node:fs';
import * as native from 'litesvm/dist/internal.js';
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './vm-errors';
import { Vm } from './vm';

/** The members of an enum in litesvm's own declarations, in order. */
function membersOf(name: string): string[] {
  const path = require.resolve('litesvm/dist/internal.js').replace(/\.js$/, '.d.ts');
  const body = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, member], index) => {
    expect(body).toContain(`${member} = ${index}`);
    return member ?? '';
  });
}

describe('the native layer of litesvm, an import behind its public interface', () => {
  it('is the version it was written for', () => {
    const manifest = readFileSync(require.resolve('litesvm/package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ version: '1.5.0' });
  });

  it('has the classes and methods that the ledger drives', () => {
    const used = [
      'setBlockhashCheck', 'setTransactionHistory', 'setSigverify', 'setClock', 'setSlotHashes',
      'setAccount', 'getAccount', 'getBalance', 'getProgramAccounts', 'expireBlockhash',
      'sendVersionedTransaction', 'simulateVersionedTransaction', 'minimumBalanceForRentExemption',
      'withNativeMints', 'toBytes',
    ];
    const methods = native.LiteSvm.prototype as unknown as Record<string, unknown>;
    expect(used.filter((name) => typeof methods[name] !== 'function')).toEqual([]);
    expect(typeof native.LiteSvm.fromBytes).toBe('function');
    expect(native.FailedTransactionMetadata.name).toBe('FailedTransactionMetadata');
  });

  it('numbers its errors as our names are ordered', () => {
    expect(membersOf('TransactionErrorFieldless')).toEqual([...TRANSACTION_ERRORS]);
    expect(membersOf('InstructionErrorFieldless')).toEqual([...INSTRUCTION_ERRORS]);
  });

  it('keeps accounts and its blockhash over a snapshot', () => {
    const vm = Vm.fresh();
    vm.expireHashesTo(7);
    const account = {
      lamports: 5_000_000n,
      owner: '11111111111111111111111111111111',
      data: Buffer.alloc(0),
      executable: false,
    };
    vm.setAccount('SysvarC1ock11111111111111111111111111111112', account);
    const again = Vm.restore(vm.toBytes(), vm.hashesExpired);
    expect(again.account('SysvarC1ock11111111111111111111111111111112')).toEqual(account);
    expect(again.hashesExpired).toBe(7);
  });
});
