import { readTransaction, TOKEN_PROGRAM } from '@tender/transactions';
import { countOf, fieldsOf, listOf, textOf } from './answers';
import type { RpcNode } from './rpc-node';

/** What a signer remembers of a message that it gave a share for. */
export interface SharedMessage {
  readonly marker: string;
  readonly message: Uint8Array;
  /** Its blockhash is dead once a finalized block is higher. */
  readonly dead_after_height: number;
  /** The newest slot when its blockhash was looked up: it can have landed in none before. */
  readonly seen_slot: number;
}

/** `dead`: it has not landed and never can. `open`: it may have, or still may. */
export type Outcome = 'settled' | 'failed_on_chain' | 'dead' | 'open';

/** More than strangers are likely to put beside a marker; beyond it nothing is said. */
const LOOKED_AT_MAX = 100;
const FINALIZED = { commitment: 'finalized' } as const;

/** What became of a message, by what one node shows as finalized. */
export async function outcomeAt(node: RpcNode, shared: SharedMessage): Promise<Outcome> {
  // Asked first: what landed up to this height is in the answers that follow.
  const height = countOf(await node.call('getBlockHeight', [FINALIZED]), 'height');
  const landed = await landedAs(node, shared);
  if (landed !== 'absent') return landed;
  if (height <= shared.dead_after_height || (await hasMarker(node, shared.marker))) return 'open';
  // A node that forgot those blocks cannot say that the message is not in them.
  const first = countOf(await node.call('getFirstAvailableBlock', []), 'first block');
  return first <= shared.seen_slot ? 'dead' : 'open';
}

async function landedAs(
  node: RpcNode,
  { marker, message }: SharedMessage,
): Promise<'settled' | 'failed_on_chain' | 'absent' | 'open'> {
  const options = { ...FINALIZED, limit: LOOKED_AT_MAX };
  const entries = listOf(
    await node.call('getSignaturesForAddress', [marker, options]),
    'signatures',
  ).map((entry) => fieldsOf(entry, 'signature'));
  for (const entry of entries) {
    const signature = textOf(entry['signature'], 'signature');
    if (!(await isOf(node, signature, message))) continue;
    if (!('err' in entry)) throw new Error('the answer has no err');
    return entry['err'] === null ? 'settled' : 'failed_on_chain';
  }
  return entries.length < LOOKED_AT_MAX ? 'absent' : 'open';
}

async function isOf(node: RpcNode, signature: string, message: Uint8Array): Promise<boolean> {
  const options = { ...FINALIZED, encoding: 'base64', maxSupportedTransactionVersion: 0 };
  const answer = fieldsOf(await node.call('getTransaction', [signature, options]), 'transaction');
  const [wire] = listOf(answer['transaction'], 'bytes');
  const transaction = readTransaction(Buffer.from(textOf(wire, 'bytes'), 'base64'));
  return transaction !== null && Buffer.compare(transaction.message_bytes, message) === 0;
}

/** Only the wallet can have made it. */
async function hasMarker(node: RpcNode, marker: string): Promise<boolean> {
  const answer = await node.call('getAccountInfo', [marker, { ...FINALIZED, encoding: 'base64' }]);
  const account = fieldsOf(answer, 'account')['value'];
  if (account === undefined) throw new Error('the answer has no account');
  return account !== null && fieldsOf(account, 'account')['owner'] === TOKEN_PROGRAM;
}
