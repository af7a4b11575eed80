import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Signed } from '@tender/threshold';
import type { RecoveryDouble } from '../../../../tools/attack/src/stage';

const ROOT = join(__dirname, '../../../..');
const HOOK = join(ROOT, 'scripts/typescript-hook.cjs');
/** Runs TypeScript as it is, without a build. */
export const TYPESCRIPT = ['--conditions=source', '-r', HOOK];

interface RecoveryProcess extends RecoveryDouble {
  /** Resolves when it has ended by itself. */
  ended(): Promise<void>;
}

/** R as treasury starts it: a process of its own, asked through its pipe. */
export async function recoveryProcess(recovery_key: string): Promise<RecoveryProcess> {
  const child = fork(join(__dirname, '../recovery.ts'), [], {
    ...{ cwd: ROOT, env: { RECOVERY_KEY: recovery_key }, execArgv: TYPESCRIPT },
  });
  const ended = once(child, 'exit');
  const [ready] = (await once(child, 'message')) as [{ type: string; identity_key: string }];
  let asked = 0;
  return {
    identity_key: ready.identity_key,
    async ask(message) {
      const id = (asked += 1);
      child.send({ id, message });
      const [answered] = (await once(child, 'message')) as [{ id: number; answer: Signed }];
      return answered.answer;
    },
    async ended() {
      await ended;
    },
    async end() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
