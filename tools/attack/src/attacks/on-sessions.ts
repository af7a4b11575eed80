import type { Signed } from '@tender/threshold';
import { base64 } from '@tender/transactions';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import { wordOf } from '../stage/answer';
import { freshSession } from '../stage/treasury-double';
import type { Begun, Target } from '../stage/target';

/** Past what a signer waits for, and less than an operation lasts. */
const SESSION_MS = 16_000;
/** Past the end of every operation of the suite. */
const LIFETIME_MS = 170_000;

/** A share was given; nothing was sent. */
async function shared(target: Target): Promise<Begun> {
  const begun = await target.begun();
  for (const role of ['A', 'B'] as const) await target.share(role, begun, begun.commits);
  return begun;
}

/** A share is asked for when the clock of the signer is further. */
const askedLater = (expects: string, name: string, ms: number): Row => [
  ...([expects, name] as const),
  (target) =>
    atEach(async (role) => {
      for (;;) {
        const begun = await target.begun();
        const word = await target.field.later([role], ms, () =>
          target.share(role, begun, begun.commits),
        );
        // It forgets what is over every few seconds, and may just have done so.
        if (word !== 'session_unknown') return word;
      }
    }),
];

const SESSIONS: readonly Row[] = [
  [
    'session_unknown',
    'a share that nothing was proposed for',
    async (target) => {
      const { commits } = await target.begun();
      return atEach((role) => target.share(role, { session: freshSession() }, commits));
    },
  ],
  [
    'nonce_already_consumed',
    'a share asked for twice',
    async (target) => {
      const begun = await shared(target);
      return atEach((role) => target.share(role, begun, begun.commits));
    },
  ],
  [
    'session_used',
    'another operation in a session whose share was given',
    async (target) => {
      const { session } = await shared(target);
      const op = target.refund();
      return atEach((role) => target.propose(role, op, undefined, session));
    },
  ],
  [
    'session_used',
    'another operation in a session that is open',
    async (target) => {
      const { session } = await target.begun();
      const op = target.refund();
      return atEach((role) => target.propose(role, op, undefined, session));
    },
  ],
  [
    'session_unknown',
    'a share of the earlier of two sessions of one operation',
    async (target) => {
      const first = await target.begun();
      await target.begun(first.op);
      return atEach((role) => target.share(role, first, first.commits));
    },
  ],
  [
    'session_binding_mismatch',
    'other bytes to A than to B',
    async (target) => {
      const [session, op] = [freshSession(), target.refund()];
      const commits: Signed[] = [];
      for (const role of ['A', 'B'] as const) {
        const message = base64(await target.transfers.message(op));
        commits.push(await target.field.treasury.ask(role, 'propose', { op, message }, session));
        // The next message is over another blockhash.
        await target.field.chain.call('localnet_warpSlots', { slots: 2 });
      }
      return atEach((role) => target.share(role, { session }, commits));
    },
  ],
  [
    'epoch_mismatch',
    'shares of an epoch that the wallet is not in',
    async (target) => {
      const { treasury } = target.field;
      const op = target.refund();
      const message = base64(await target.transfers.message(op));
      return atEach(async (role) => {
        const about = [role, 'propose', { op, message }, freshSession()] as const;
        return wordOf(await treasury.post(role, treasury.signed(...about, { epoch: 2 })));
      });
    },
  ],
  askedLater('signer_session_expired', 'a share that is asked for too late', SESSION_MS),
  askedLater('op_expired', 'a share of an operation that expires in mid-session', LIFETIME_MS),
];

const LANDING: readonly Row[] = [
  [
    'op_already_in_flight',
    'the same operation over a new blockhash while the first may land',
    async (target) => {
      const { op } = await shared(target);
      await target.field.chain.call('localnet_warpSlots', { slots: 2 });
      return atEach((role) => target.propose(role, op));
    },
  ],
  [
    'op_already_settled',
    'an operation that has settled',
    async (target) => {
      const op = target.refund();
      const message = await target.transfers.message(op);
      await target.transfers.send(op, message, await target.signed(op, message));
      await target.field.chain.finalize();
      return atEach(async (role) => {
        await target.stateOf(role, op);
        return target.propose(role, op);
      });
    },
  ],
  [
    'op_already_failed',
    'an operation that has failed on the chain',
    async (target) => {
      // Of a wallet that has none of what it pays.
      const poor = await target.another();
      const { field, transfers, wallet } = poor;
      const op = poor.refund();
      const message = await transfers.message(op);
      const signature = await poor.signed(op, message);
      const balance = { address: wallet, token: 'USDC', amount: '0' };
      await field.chain.call('localnet_setTokenBalance', balance);
      await transfers.send(op, message, signature);
      await field.chain.finalize();
      return atEach(async (role) => {
        await poor.stateOf(role, op);
        return poor.propose(role, op);
      });
    },
  ],
];

export const onSessions: readonly Attack[] = ofArea('sessions', ...SESSIONS, ...LANDING);
