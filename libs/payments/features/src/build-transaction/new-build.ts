import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { BuiltTransaction, PaymentTerms } from '@tender/payments-domain';
import { buildDirect } from './build-direct';
import { buildGasless } from './build-gasless';

export interface Payer {
  readonly payer_wallet: string;
  readonly prefer_gasless: boolean;
}

/** What this wallet is to sign: without a fee where that is wanted and can be had, else with a fee of its own. */
export const newBuild = async (
  runtime: Pick<Runtime, 'calls' | 'chains' | 'log'>,
  caller: RequestContext,
  terms: PaymentTerms,
  { payer_wallet, prefer_gasless }: Payer,
): Promise<BuiltTransaction> =>
  (prefer_gasless ? await buildGasless(runtime, caller, terms, payer_wallet) : null) ??
  (await buildDirect(runtime, terms, payer_wallet));
