import { setTimeout as pause } from 'node:timers/promises';
import { bytesOfBase64 } from '@tender/transactions';
import { ExitFault } from './exit-fault';
import { NodeRefused, NodeSilent, type SolanaNode } from './node';
import type { Sent } from './sent-file';

const POLL_MS = 500;
const AGAIN_MS = 2_000;
/** A node that is silent for so long is given up; the transfer can be gone on with. */
const SILENT_MS = 60_000;

/** What a simulation has refused. */
const REFUSED_BY_SIMULATION = -32002;
/** It has landed, in one way or another: an earlier send whose answer was lost, or one that a proxy repeated. */
const LANDED = 'AlreadyProcessed';
/** Looks, one after the other, that find nothing. Behind one address there may be nodes that lag. */
const LOOKS = 3;

/** `landed`: it is final. `failed`: final, and nothing but its fee has moved. `dead`: it can never land. */
export type End = 'landed' | 'failed' | 'dead';

/**
 * Sends the same bytes until it is known what became of them: they land once, however often they are sent. Throws
 * `ExitFault` where a simulation refuses them before they were sent, and where the node stays silent.
 */
export async function sentToItsEnd(node: SolanaNode, sent: Sent, is_first: boolean): Promise<End> {
  const wire = bytesOfBase64(sent.transaction) as Uint8Array;
  if (is_first) await firstSend(node, wire);
  let [heard_ms, sent_ms] = [Date.now(), Date.now()];
  let looks = 0;
  for (;;) {
    try {
      const end = await endOf(node, sent);
      heard_ms = Date.now();
      looks = end === 'dead' ? looks + 1 : 0;
      if (end !== null && (end !== 'dead' || looks >= LOOKS)) return end;
      if (heard_ms - sent_ms >= AGAIN_MS) {
        sent_ms = heard_ms;
        await node.send(wire, false);
      }
    } catch (error) {
      if (!(error instanceof NodeSilent || error instanceof NodeRefused)) throw error;
      if (Date.now() - heard_ms > SILENT_MS) throw unclear(sent, error);
    }
    await pause(POLL_MS);
  }
}

/** A refusal here is one before anything was sent; silence may be one after it. */
async function firstSend(node: SolanaNode, wire: Uint8Array): Promise<void> {
  try {
    await node.send(wire, true);
  } catch (error) {
    const is_judged = error instanceof NodeRefused && error.code === REFUSED_BY_SIMULATION;
    if (is_judged && error.err !== LANDED) {
      throw new RefusedUnsent(`The chain would refuse it: ${error.message}\n${error.logs.join('\n')}`);
    }
    if (!(error instanceof NodeSilent || error instanceof NodeRefused)) throw error;
  }
}

/** Nothing was sent. */
export class RefusedUnsent extends ExitFault {}

/**
 * Null: it may still land. `dead` counts where several looks in a row say it. A node that has not got as far as the one
 * that told the height knows nothing of it, and neither does one that has thrown its history away.
 */
async function endOf(
  node: SolanaNode,
  { signature, dead_after_height, sent_at_slot }: Sent,
): Promise<End | null> {
  // The height first: what lands after it was read is seen by the look that follows.
  const reached = await node.reached();
  const { outcome, slot } = await node.outcomeOf(signature);
  if (outcome === 'final') return 'landed';
  if (outcome === 'failed') return 'failed';
  if (outcome !== 'unknown' || reached.height <= dead_after_height || slot < reached.slot) return null;
  if ((await node.historyFrom()) > sent_at_slot) {
    throw new ExitFault(
      `This node has no transactions as old as ${signature}, and cannot tell what became of it: use a node with a longer ` +
        'history in --rpc. Nothing else was sent.',
    );
  }
  return 'dead';
}

const unclear = ({ signature }: Sent, { message }: Error): ExitFault =>
  new ExitFault(
    `It is not known what became of the transfer ${signature}: ${message}. Run the same command again, with another ` +
      '--rpc if need be: it sends the same transfer, which can land once.',
  );
