import type { HostedRole } from '@tender/threshold';
import { atEach, ofArea, type Attack } from '../attack';
import { someWallet, type Target } from '../stage/target';

const frozen = (target: Target, role: HostedRole): Promise<string> =>
  target.ask(role, 'freeze', { wallet: target.wallet, reason: 'an attack' });

const asked = (expects: string, name: string, kind: string, body: (target: Target) => unknown) =>
  [
    ...([expects, name] as const),
    (target: Target) => atEach((role) => target.ask(role, kind, body(target))),
  ] as const;

export const onFreeze: readonly Attack[] = ofArea(
  'freeze',
  [
    'wallet_frozen',
    'a transfer of a wallet that one signer alone has frozen',
    (target) =>
      atEach(async (role) => {
        const other = await target.another();
        await frozen(other, role);
        return other.propose(role, other.refund());
      }),
  ],
  [
    'wallet_frozen',
    'a share of what was proposed before the wallet was frozen',
    (target) =>
      atEach(async (role) => {
        const other = await target.another();
        const begun = await other.begun();
        await frozen(other, role);
        return other.share(role, begun, begun.commits);
      }),
  ],
  [
    'wallet_frozen',
    'a transfer after all that might unfreeze it',
    (target) =>
      atEach(async (role) => {
        const other = await target.another();
        const { wallet } = other;
        await frozen(other, role);
        for (const kind of ['unfreeze', 'thaw', 'describe', 'observe']) {
          await other.ask(role, kind, { wallet, frozen: false, operation_id: 'any' });
        }
        return other.propose(role, other.refund());
      }),
  ],
  asked('passkey_signature_malformed', 'unfreeze', 'unfreeze', ({ wallet }) => ({ wallet })),
  asked('kind_unknown', 'raise_limit', 'raise_limit', ({ wallet }) => ({ wallet, cents: 1e9 })),
  asked('wallet_unknown', 'freezing a wallet of strangers', 'freeze', () => ({
    ...{ wallet: someWallet(), reason: 'an attack' },
  })),
  asked('ask_malformed', 'freezing without a reason', 'freeze', ({ wallet }) => ({ wallet })),
);
