import { HOSTED_QUORUM, type Operation } from '@tender/threshold';
import { Owner } from './stage/owner';
import { paidIn } from './stage/transfers';
import { USDC, type Target } from './stage/target';

export interface Control {
  readonly name: string;
  /** Null: it was signed, has landed, and both signers say so. */
  readonly fault: string | null;
}

const LAMPORTS = 5_000_000;
/** As much as the settlement. */
const LIMIT_CENTS = 200;

/** What must be signed: without it a signer that refuses everything would pass for a good one. */
export async function controls(target: Target): Promise<readonly Control[]> {
  const { field, wallet, roster, transfers } = target;
  // Whole, of both: what one asset took of a credit leaves the other as it was.
  const credited = await paidIn(field.chain, wallet, 3n * USDC, LAMPORTS);
  const to_merchant = await paidIn(field.chain, roster.settlement_wallet as string, 3n * USDC);
  const honest: Readonly<Record<string, Operation>> = {
    'a refund of all the USDC of a payment': transfers.operation(credited, 3n * USDC, 'USDC'),
    'a refund of all its SOL': transfers.operation(credited, BigInt(LAMPORTS), 'SOL'),
    'a refund of what came to the merchant’s own wallet': transfers.operation(to_merchant, 3n * USDC),
    'a settlement': target.settlement(),
  };
  const results: Control[] = [];
  for (const [name, op] of Object.entries(honest)) {
    results.push({ name, fault: await faultOf(target, op) });
  }
  return [...results, await unfrozen(target)];
}

/** A wallet of which a passkey has allowed that it goes on, and less than before in a day. */
async function unfrozen(target: Target): Promise<Control> {
  const owner = await Owner.of(target);
  const words: string[] = [];
  for (const role of HOSTED_QUORUM) {
    words.push(await owner.unfreeze(role));
    words.push(await owner.limit(role, LIMIT_CENTS, owner.allowing(owner.limiting(LIMIT_CENTS))));
  }
  const fault = words.every((word) => /^answered (?:unfreeze|limit)$/.test(word))
    ? await faultOf(owner.target, owner.target.settlement())
    : words.join();
  return { name: 'a settlement of a wallet that a passkey has unfrozen and limited', fault };
}

async function faultOf(target: Target, op: Operation): Promise<string | null> {
  const message = await target.transfers.message(op);
  const signature = await target.sign(op, message);
  if (typeof signature === 'string') return signature;
  await target.transfers.send(op, message, signature);
  await target.field.chain.finalize();
  const states = [await target.stateOf('A', op), await target.stateOf('B', op)];
  return states.every((state) => state === 'settled') ? null : states.join(' and ');
}
