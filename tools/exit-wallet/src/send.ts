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
  for (;;) {
    try {
      const end = await endOf(node, sent);
      heard_ms = Date.now();
      if (end !== null) return end;
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
    if (error instanceof NodeRefused && error.code === REFUSED_BY_SIMULATION) {
      throw new RefusedUnsent(`The chain would refuse it: ${error.message}\n${error.logs.join('\n')}`);
    }
    if (!(error instanceof NodeSilent || error instanceof NodeRefused)) throw error;
  }
}

/** Nothing was sent. */
export class RefusedUnsent extends ExitFault {}

/** Null: it may still land. */
async function endOf(
  node: SolanaNode,
  { signature, dead_after_height }: Sent,
): Promise<End | null> {
  // The height first: what lands after it was read is seen by the look that follows.
  const height = await node.finalHeight();
  const outcome = await node.outcomeOf(signature);
  if (outcome === 'final') return 'landed';
  if (outcome === 'failed') return 'failed';
  return outcome === 'unknown' && height > dead_after_height ? 'dead' : null;
}

const unclear = ({ signature }: Sent, { message }: Error): ExitFault =>
  new ExitFault(
    `It is not known what became of the transfer ${signature}: ${message}. Run the same command again, with another ` +
      '--rpc if need be: it sends the same transfer, which can land once.',
  );
