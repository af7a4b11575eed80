import { isDeepStrictEqual } from 'node:util';
import { decodeTransaction } from '../wire/decoded-transaction';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../wire/token-layout';
import { AccountState } from './account-state';
import type { AppendLog, LogPosition } from './append-log';
import type { Blockhashes } from './blockhashes';
import { plantGenesis, type Genesis } from './genesis';
import type { History } from './history';
import type {
  AccountBody, AccountHeader, LogHeader, TransactionBody, TransactionHeader,
} from './log-records';
import { listSnapshots, readSnapshot, removeSnapshot } from './snapshot';
import type { Timeline } from './timeline';
import { Vm } from './vm';

/** Fills history and timeline from the log. Answers the clock's last offset, in milliseconds. */
export function indexLog(log: AppendLog, history: History, timeline: Timeline): number {
  let offsetMs = 0;
  for (const { header: text, offset, length } of log.lines()) {
    const header = JSON.parse(text) as LogHeader;
    switch (header.type) {
      case 'tx': {
        const { slot, sig: signature, err: error = null, memo = null } = header;
        history.add({ signature, slot, error, memo, offset, length }, header.keys);
        timeline.reach(slot);
        break;
      }
      case 'account':
        timeline.reach(header.slot);
        break;
      case 'timeline':
        // The line was written when its first slot began, so the tip had come that far.
        timeline.reach(header.change.keepUntil);
        timeline.apply(header.change);
        offsetMs = header.offsetMs;
        break;
      case 'rollback':
        history.dropAfter(header.toSlot);
        timeline.apply(header.change);
        break;
    }
  }
  return offsetMs;
}

type Effect = LogPosition & { readonly header: TransactionHeader | AccountHeader };

export interface Sources {
  readonly folder: string;
  readonly log: AppendLog;
  readonly genesis: Genesis;
  readonly hashes: Blockhashes;
}

/** The accounts after the last line of the log: newest usable snapshot, then the lines after it. */
export function rebuildAccounts(sources: Sources): AccountState {
  const { folder, log, hashes } = sources;
  for (const file of listSnapshots(folder)) {
    const snapshot = readSnapshot(file);
    const effects = snapshot && effectsSince(log, snapshot.header.logEnd, file.slot);
    if (!snapshot || !effects) {
      removeSnapshot(file);
      continue;
    }
    const state = new AccountState(snapshot.vm, snapshot.header.owners);
    return runEffects(state, effects, log, hashes);
  }
  const vm = Vm.fresh();
  plantGenesis(vm, sources.genesis);
  const state = new AccountState(vm, [SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM]);
  return runEffects(state, effectsSince(log, 0, 0) ?? [], log, hashes);
}

/** What still holds of the lines after `logEnd`; null when a state of `slot` was rolled back. */
function effectsSince(log: AppendLog, logEnd: number, slot: number): Effect[] | null {
  // A power loss may have kept the snapshot and lost the end of the log, which no client had seen.
  if (logEnd > log.end) return null;
  const effects: Effect[] = [];
  for (const { header: text, offset, length } of log.lines(logEnd)) {
    const header = JSON.parse(text) as LogHeader;
    if (header.type === 'rollback') {
      if (header.toSlot < slot) return null;
      while ((effects.at(-1)?.header.slot ?? 0) > header.toSlot) effects.pop();
    } else if (header.type !== 'timeline') {
      effects.push({ header, offset, length });
    }
  }
  return effects;
}

function runEffects(
  state: AccountState,
  effects: readonly Effect[],
  log: AppendLog,
  hashes: Blockhashes,
): AccountState {
  for (const effect of effects) {
    const { header } = effect;
    if (header.type === 'account') {
      const { data } = log.read<AccountHeader, AccountBody>(effect).body;
      state.put(header.address, {
        lamports: BigInt(header.lamports),
        owner: header.owner,
        executable: header.executable,
        data: Buffer.from(data, 'base64'),
      });
      continue;
    }
    const { body } = log.read<TransactionHeader, TransactionBody>(effect);
    state.vm.enter(header.slot, () => hashes.vmSlot(header.slot), header.expired);
    const again = state.execute(decodeTransaction(Buffer.from(body.wire, 'base64')));
    const same =
      again !== null &&
      isDeepStrictEqual(again.header.err, header.err) &&
      isDeepStrictEqual(again.body.postBalances, body.postBalances);
    if (!same) throw new Error(`replay of ${header.sig} gave another result than its first run`);
  }
  return state;
}
