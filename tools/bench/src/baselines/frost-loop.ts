import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { ed25519_FROST as frost } from '@noble/curves/ed25519.js';
import { answerOrders } from '../answer-orders';
import { Child } from '../child';
import { Histogram } from '../load/histogram';
import { treeCpu } from '../machine/processes';
import type { PartyOrder } from './frost-party';

type Commitment = ReturnType<typeof frost.commit>['commitments'];
type PublicKey = Parameters<typeof frost.aggregate>[0];

interface Order {
  readonly warmup_ms: number;
  readonly timed_ms: number;
}

/** Of a transfer of USDC with its marker. */
const MESSAGE_BYTES = 560;

// The key is dealt here; two processes hold a share each, and this one aggregates, a signature after the other.
answerOrders(signAll);

async function signAll({ warmup_ms, timed_ms }: Order) {
  const ids = [1, 2, 3].map((number) => frost.Identifier.fromNumber(number));
  const { public: key, secretShares } = frost.trustedDealer({ min: 2, max: 3 }, ids);
  const quorum = ids.slice(0, 2);
  const parties = quorum.map(() => {
    return Child.start(path.join(__dirname, 'frost-party.js'), { serialization: 'advanced' });
  });
  const askAll = <Answer>(orderOf: (id: string) => PartyOrder): Promise<Answer[]> =>
    Promise.all(quorum.map((id, at) => (parties[at] as Child).ask<Answer>(orderOf(id))));
  await askAll((id) => ({ ask: 'hold', secret: secretShares[id] as never, key }));
  try {
    await signUntil(performance.now() + warmup_ms, quorum, key, askAll);
    const [began, cpu_s] = [performance.now(), treeCpu(process.pid)];
    const took = await signUntil(began + timed_ms, quorum, key, askAll);
    const spent_ms = (treeCpu(process.pid) - cpu_s) * 1000;
    return {
      per_s: took.count / ((performance.now() - began) / 1000),
      cpu_ms: spent_ms / took.count,
      p50: took.quantile(0.5),
      p99: took.quantile(0.99),
    };
  } finally {
    for (const party of parties) await party.stop();
  }
}

async function signUntil(
  until: number,
  quorum: readonly string[],
  key: PublicKey,
  askAll: <Answer>(orderOf: (id: string) => PartyOrder) => Promise<Answer[]>,
): Promise<Histogram> {
  const took = new Histogram();
  while (performance.now() < until) {
    const began = performance.now();
    const message = randomBytes(MESSAGE_BYTES);
    const commitments = await askAll<Commitment>(() => ({ ask: 'commit' }));
    const shares = await askAll<Uint8Array>(() => ({ ask: 'share', commitments, message }));
    const byId = Object.fromEntries(quorum.map((id, at) => [id, shares[at] as Uint8Array]));
    // Throws unless what comes out is a signature.
    frost.aggregate(key, commitments, message, byId);
    took.add(performance.now() - began);
  }
  return took;
}
