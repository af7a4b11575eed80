import type { Operation } from '@tender/threshold';
import { attacksOnMessages, type MessageAttack } from '@tender/signer-domain/testing';
import { base64 } from '@tender/transactions';
import { atBoth, ofArea, type Attack, type Row } from '../attack';
import { someWallet, type Target } from '../stage/target';

/** The honest transfers whose bytes are tampered with. */
const HONEST: Readonly<Record<string, (target: Target) => Operation>> = {
  'refund of USDC': (target) => target.refund('USDC'),
  'refund of SOL': (target) => target.refund('SOL'),
  'settlement of USDC': (target) => target.settlement(),
};

interface Tampering {
  readonly op: Operation;
  readonly message: Uint8Array;
  readonly rows: readonly MessageAttack[];
}

const attacker = someWallet();

/** Made once for a wallet: none of it is ever signed, so one operation serves for all. */
const made = new WeakMap<Target, Map<string, Promise<Tampering>>>();

function tamperingWith(target: Target, what: string): Promise<Tampering> {
  const known = made.get(target) ?? new Map<string, Promise<Tampering>>();
  made.set(target, known);
  const found = known.get(what) ?? prepare(target, what);
  known.set(what, found);
  return found;
}

async function prepare(target: Target, what: string): Promise<Tampering> {
  const op = (HONEST[what] as (typeof HONEST)[string])(target);
  const { fee_payer } = target.transfers;
  const rows = attacksOnMessages({ op, rules: target.transfers.rules(), fee_payer, attacker });
  return { op, message: await target.transfers.message(op), rows };
}

/** Names and codes are the same for every wallet. */
function namesOf(what: string): readonly MessageAttack[] {
  const [wallet, to, mint] = [someWallet(), someWallet(), someWallet()];
  const asset = what.endsWith('SOL') ? 'SOL' : 'USDC';
  const op = { wallet, to, asset, amount: '2', id: 'any' } as Operation;
  const mints = { USDC: mint, USDT: mint };
  return attacksOnMessages({ op, rules: { mints } as never, fee_payer: someWallet(), attacker });
}

const tampered = (what: string): readonly Attack[] =>
  ofArea(
    'messages',
    ...namesOf(what).map(({ code, name }, place): Row => [
      ...([code, `${what}: ${name}`] as const),
      async (target) => {
        const { op, message, rows } = await tamperingWith(target, what);
        const bytes = (rows[place] as MessageAttack).tampered(message);
        return atBoth((role) => target.propose(role, op, bytes));
      },
    ]),
  );

const unreadable: readonly (readonly [string, (message: Uint8Array) => unknown])[] = [
  ['base64 in another form', (message) => `${base64(message).replace(/=*$/, '')}\n`],
  ['bytes that are no text', (message) => [...message]],
  ['no bytes at all', () => undefined],
];

export const onMessages: readonly Attack[] = [
  ...Object.keys(HONEST).flatMap(tampered),
  ...ofArea(
    'messages',
    ...unreadable.map(([name, written]): Row => [
      ...(['tx_not_canonical', name] as const),
      async (target) => {
        const op = target.refund();
        const message = written(await target.transfers.message(op));
        return atBoth((role) => target.ask(role, 'propose', { op, message }));
      },
    ]),
  ),
];
