import { AUDIT_CATEGORIES, firstAuditFault, type StoredEvent } from '@tender/eventing';
import { operatorsKeyRing } from '../erase/operators-key-ring';
import { CommandFault } from '../faults';
import type { System } from '../system';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';

const BATCH_MAX = 1000;

/** `tender ops audit verify`: each change by an admin is as it was written, or the first that is not is named. */
export async function runAuditVerify(
  system: System,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const keyRing = operatorsKeyRing(env, system.readModels);
  try {
    const entries: StoredEvent[] = [];
    for await (const batch of system.log.batches(AUDIT_CATEGORIES, null, null, BATCH_MAX)) {
      entries.push(...batch);
    }
    const broken = firstAuditFault(keyRing, entries);
    if (broken) {
      throw new CommandFault(
        `Entry ${broken.number} of the audit log is broken: ${broken.fault}. It says that it is of ${broken.at}. ` +
          'The entries before it are as they were written; compare the rest with a backup.',
      );
    }
    tell(terminal, { entries: entries.length, broken: null }, [
      `All ${entries.length} entries of the audit log are as they were written, in their order.`,
    ]);
  } finally {
    keyRing.close();
  }
}
