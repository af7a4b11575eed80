import { signMessage, type Operation, type Signed } from '@tender/threshold';
import { ofArea, type Attack, type Row, type Told } from '../attack';
import { freshRecoveryKey } from '../stage/battlefield';
import { freshMerchants, openOwnWallet, planOfOwn, type OwnCarrier } from '../stage/own-wallet';
import { someWallet, type Target } from '../stage/target';

/** What A says to an operation of a merchant’s own wallet, of which it holds a share. */
async function ofOwn(target: Target, change: (op: Operation) => Operation): Promise<Told> {
  const { treasury, identity_keys } = target.field;
  const { wallet } = await openOwnWallet(treasury, identity_keys.A);
  return { A: await target.propose('A', change({ ...target.refund(), wallet })) };
}

/** What A says to a ceremony in which the merchant’s browser was taken over. */
const spoiled = (expects: string, name: string, carryOf: (R: Sign) => OwnCarrier): Row => [
  ...([expects, name] as const),
  async ({ field }) => {
    const merchants = freshMerchants();
    const byR: Sign = (said, change) => {
      const body = { ...(said.message.body as object), ...change };
      return signMessage(merchants.R, { ...said.message, body });
    };
    const { treasury, identity_keys } = field;
    try {
      const { wallet } = await openOwnWallet(
        ...([treasury, identity_keys.A, merchants, carryOf(byR)] as const),
      );
      return { A: `the wallet ${wallet} was kept` };
    } catch (error) {
      return { A: (error as Error).message };
    }
  },
];
type Sign = (said: Signed, change: object) => Signed;

const inRound =
  (round: Parameters<OwnCarrier>[0], change: (said: Signed) => Signed): OwnCarrier =>
  (now, said) =>
    now === round ? said.map((one) => (one.message.from === 'R' ? change(one) : one)) : said;

const CEREMONIES: readonly Row[] = [
  [
    'dkg_plan_invalid',
    'signer B in the place of A, in a wallet that is the merchant’s own',
    async ({ ask, field }) => {
      const plan = planOfOwn(field.identity_keys.B);
      return { B: await ask('B', 'ceremony.begin', plan) };
    },
  ],
  [
    'dkg_plan_invalid',
    'a merchant’s own wallet that settles to the attacker',
    async ({ ask, field }) => {
      const plan = planOfOwn(field.identity_keys.A, { settlement_wallet: someWallet() });
      return { A: await ask('A', 'ceremony.begin', plan) };
    },
  ],
  [
    'dkg_plan_invalid',
    'a merchant’s own wallet with another identity of A',
    async ({ ask }) => ({
      A: await ask('A', 'ceremony.begin', planOfOwn(freshMerchants().C.public_key)),
    }),
  ],
  spoiled('dkg_bad_signature', 'a message of R edited, in a merchant’s own wallet', () =>
    inRound('round1', ({ message, signature }) => ({
      message: { ...message, body: { ...(message.body as object), seal_key: freshRecoveryKey() } },
      signature,
    })),
  ),
  spoiled('dkg_transcript_mismatch', 'two first messages of R, in a merchant’s own wallet', (byR) =>
    inRound('round1', (said) => byR(said, { seal_key: freshRecoveryKey() })),
  ),
  spoiled('dkg_recovery_mismatch by R', 'a share for disasters of a merchant’s own wallet', (byR) =>
    inRound('round3', (said) => {
      const recovery = { sealed_to: freshRecoveryKey(), sealed_share: 'AAAA' };
      return byR(said, { recovery });
    }),
  ),
];

const OPERATIONS: readonly Row[] = [
  [
    'op_type_not_allowed',
    'a refund out of a merchant’s own wallet',
    (target) => ofOwn(target, (op) => op),
  ],
  [
    'op_type_not_allowed',
    'SOL out of a merchant’s own wallet',
    (target) => ofOwn(target, (op) => ({ ...op, asset: 'SOL' })),
  ],
  [
    'op_type_not_allowed',
    'a settlement out of a merchant’s own wallet',
    (target) => ofOwn(target, (op) => ({ ...op, type: 'settlement', credit: null })),
  ],
  [
    'wallet_unknown',
    'money of a merchant’s own wallet, asked of signer B',
    async (target) => {
      const { treasury, identity_keys } = target.field;
      const { wallet } = await openOwnWallet(treasury, identity_keys.A);
      return { B: await target.propose('B', { ...target.refund(), wallet }) };
    },
  ],
];

/** Wallets that are the merchant’s own: A holds a share of them, and does nothing with it. */
export const onOwnWallets: readonly Attack[] = [
  ...ofArea('operations', ...OPERATIONS),
  ...ofArea('ceremonies', ...CEREMONIES),
];
