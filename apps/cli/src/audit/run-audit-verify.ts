import { AUDIT_CATEGORIES, auditFindings, type AuditFault, type StoredEvent } from '@tender/eventing';
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
    const { broken, witnessed_up_to } = auditFindings(keyRing, entries);
    if (broken) throw new CommandFault(sentenceOf(broken));
    tell(terminal, { line: 'audit', entries: entries.length, witnessed_up_to, broken: null }, [
      `All ${entries.length} entries of the audit log are as they were written, in their order. ` +
        `${witnessed_up_to} are written down in DATA_DIR/keys: one that was cut off after these is not missed.`,
    ]);
  } finally {
    keyRing.close();
  }
}

function sentenceOf({ number, at, fault }: AuditFault): string {
  const dated = at === null ? '' : ` It says that it is of ${at}.`;
  return (
    `Entry ${number} of the audit log is broken: ${fault}.${dated} ` +
    'The entries before it are as they were written; compare the rest with a backup. ' +
    'Where an older backup was restored, move audit.witness in DATA_DIR/keys away, and keep it.'
  );
}
