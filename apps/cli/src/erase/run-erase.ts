import { eraseSubjectKey } from '@tender/adapter-postgres';
import { forgetCustomer, payerSubject, paymentsOfCustomer } from '@tender/composition';
import { customerSubject, type KeyRing } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { CommandFault, UsageFault } from '../faults';
import type { System } from '../system';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { operatorsKeyRing } from './operators-key-ring';

export interface Erasure {
  readonly merchant_id: string;
  readonly email: string;
  /** No question is asked first. */
  readonly yes: boolean;
}

/**
 * `tender ops erase …`: what is sealed under a customer’s keys cannot be read any more, wherever it is (E11), and what
 * fraud counts by is taken from its table.
 */
export async function runErase(
  system: System,
  terminal: Terminal,
  { merchant_id, email, yes }: Erasure,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const keyRing = operatorsKeyRing(env, system.readModels);
  try {
    await mustBeMeant(terminal, { merchant_id, email, yes });
    const erased: Erased[] = [];
    for (const mode of MODES) {
      const found = await eraseIn(mode, system, keyRing, { merchant_id, email });
      if (found) erased.push(found);
    }
    if (erased.length === 0) throw new CommandFault(NOTHING);
    // The address itself is in no answer: what a program keeps of its output would be the next copy of it.
    tell(terminal, { line: 'erased', merchant_id, erased }, [
      ...erased.map(({ mode, subject_id }) => `Erased ${subject_id}, the customer in ${mode} mode.`),
      'Payments, amounts and receipts stay as they were. Next: running processes forget the key within 30 s; ' +
        'run the same command again after a restore of an older backup.',
    ]);
  } finally {
    keyRing.close();
  }
}

interface Erased {
  readonly mode: Mode;
  readonly subject_id: string;
}

/** Null where nothing is kept in that mode. The customer’s own key goes last: what fails before is found again. */
async function eraseIn(
  mode: Mode,
  { readModels }: System,
  keyRing: Pick<KeyRing, 'idBytes'>,
  { merchant_id, email }: Pick<Erasure, 'merchant_id' | 'email'>,
): Promise<Erased | null> {
  const customer = { merchant_id, mode, email };
  const subject_id = customerSubject(keyRing, customer);
  const payment_ids = await paymentsOfCustomer(readModels, customer, subject_id);
  const counted = await forgetCustomer(readModels, keyRing, { ...customer, payment_ids });
  let keys = 0;
  for (const subject of [...payment_ids.map(payerSubject), subject_id]) {
    if (await eraseSubjectKey(readModels, subject)) keys += 1;
  }
  return counted + keys > 0 ? { mode, subject_id } : null;
}

const NOTHING =
  'Nothing is kept of that e-mail at that merchant: it was erased before, or one of the two is another. ' +
  'Nothing was changed.';

async function mustBeMeant(terminal: Terminal, asked: Erasure): Promise<void> {
  const { merchant_id, email, yes } = asked;
  if (yes) return;
  if (!terminal.can_ask) {
    throw new UsageFault('There is no terminal to ask at: add --yes. An erasure cannot be undone.');
  }
  const question = `Erase ${email}, customer of merchant ${merchant_id}? It cannot be undone. Type "erase": `;
  if ((await terminal.ask(question))?.trim() !== 'erase') {
    throw new CommandFault('Nothing was changed.');
  }
}
