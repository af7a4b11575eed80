import { restartChain } from '@tender/chain-indexer-features';
import { CommandFault } from '../faults';
import type { System } from '../system';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';

/** `tender ops chain-restart --mode …` */
export async function runChainRestart(
  { readModels }: Pick<System, 'readModels'>,
  terminal: Terminal,
  { mode }: { readonly mode: 'test' | 'live' },
): Promise<void> {
  const open = await restartChain(readModels, mode);
  if (open === null) {
    throw new CommandFault(`No chain is followed in ${mode} mode yet, or it was restarted already: nothing is done.`);
  }
  const payments = open === 1 ? '1 open payment is' : `${open} open payments are`;
  tell(terminal, { line: 'chain_restart', mode, open_payments: open }, [
    `The indexer goes on at the newest block of the ${mode} chain within seconds; ${payments} looked up there. ` +
      '"GET /readyz" says whether it does.',
  ]);
}
