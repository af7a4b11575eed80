import { toldTransaction, type ToldTransaction } from '@tender/signer-domain';
import type { Mode } from '@tender/kernel';
import { countOf, fieldsOf } from './answers';
import type { ChainNodes } from './chain-nodes';
import { outcomeAt, type Outcome, type SharedMessage } from './outcome';
import { EvidenceUnavailable } from './rpc-node';

/** How long a blockhash can be used after its block. */
const BLOCKHASH_BLOCKS = 150;
/** What is believed of money that came in (specification §2.7). */
const COMMITMENTS = { test: 'confirmed', live: 'finalized' } as const;

export interface BlockhashEvidence {
  readonly valid: boolean;
  readonly dead_after_height: number;
  readonly seen_slot: number;
}

export interface SignerChainOptions {
  readonly mode: Mode;
  readonly nodes: ChainNodes;
}

/** What a signer finds out by itself: it believes nothing that treasury says of it. All throw `EvidenceUnavailable`. */
export class SignerChain {
  constructor(private readonly options: SignerChainOptions) {}

  blockhash(hash: string): Promise<BlockhashEvidence> {
    return this.options.nodes.first(async (node) => {
      const options = { commitment: 'processed' };
      const answer = fieldsOf(await node.call('isBlockhashValid', [hash, options]), 'blockhash');
      const valid = answer['value'];
      if (typeof valid !== 'boolean') throw new Error('the answer does not say if it is valid');
      const seen_slot = countOf(fieldsOf(answer['context'], 'context')['slot'], 'slot');
      // Not from a place that lags behind the one which knew the blockhash.
      const asked = await node.call('getBlockHeight', [{ ...options, minContextSlot: seen_slot }]);
      return { valid, seen_slot, dead_after_height: countOf(asked, 'height') + BLOCKHASH_BLOCKS };
    });
  }

  /** What brought money, as the first node tells it; null where it does not show it in the form of an answer. */
  incoming(signature: string): Promise<ToldTransaction | null> {
    const { nodes, mode } = this.options;
    return nodes.first(async (node) => {
      const options = { commitment: COMMITMENTS[mode], encoding: 'json' };
      const params = [signature, { ...options, maxSupportedTransactionVersion: 0 }];
      return toldTransaction(await node.call('getTransaction', params));
    });
  }

  /** One node is enough to say that it landed; that it never will is believed only if all say so. */
  async outcome(shared: SharedMessage): Promise<Outcome> {
    const { answers, missing } = await this.options.nodes.every((node) => outcomeAt(node, shared));
    for (const landed of ['settled', 'failed_on_chain'] as const) {
      if (answers.includes(landed)) return landed;
    }
    if (missing !== null) throw new EvidenceUnavailable(missing);
    return answers.includes('open') ? 'open' : 'dead';
  }
}
