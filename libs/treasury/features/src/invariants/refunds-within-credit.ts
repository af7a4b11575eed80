import {
  checkedKind,
  eachFault,
  movedMoney,
  ownEvents,
  type BalanceChange,
  type CheckedObject,
  type CheckPorts,
  type InvariantCheck,
} from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import type { SignedRoster } from '@tender/threshold';
import type { OutgoingTransferEvent, TransferTerms } from '@tender/treasury-domain';
import { operatingWallets } from '../operating-wallet/operating-wallet.aggregate';
import { outgoingTransfer } from '../outgoing-transfer/outgoing-transfer.aggregate';
import { refundedAmounts, type Credited, type RefundedAmount } from './refunded-amounts';

type OneChain = NonNullable<CheckPorts['chains']>[Mode];

/** What was brought to one wallet, and what is refunded of it from all operating wallets. */
interface Balance {
  brought: bigint;
  refunded: bigint;
}

const keyOf = ({ credit, asset }: Credited, wallet: string): string => [credit, asset, wallet].join(' ');

export const termsOf = (object: CheckedObject): TransferTerms | null => {
  const [requested] = ownEvents<OutgoingTransferEvent>(object.history);
  return requested?.type === 'TransferRequested' ? requested.data.transfer : null;
};

/** What brought the money is asked of the chain, once for each credit. */
export const refundsWithinCredit: InvariantCheck = {
  id: 'M1',
  says: 'Refunds of a credit that are pending, processing or completed are never more than the credit.',
  of: checkedKind(outgoingTransfer),
  async find(ports, mode, objects) {
    if (ports.chains === null) return [];
    const refunds = objects.flatMap((object) => {
      const terms = termsOf(object);
      return terms?.credit ? [terms] : [];
    });
    const credits = new Map(refunds.map((terms) => [keyOf(terms, ''), terms]));
    if (credits.size === 0) return [];
    const amounts = await refundedAmounts(ports.readModels, mode, [...credits.values()]);
    const broken = await brokenBy(ports, mode as Mode, amounts);
    return eachFault(objects, (object) => {
      const terms = termsOf(object);
      return (terms && broken.get(keyOf(terms, terms.from))) ?? null;
    });
  },
};

/** By credit and operating wallet. */
async function brokenBy(
  { eventStore, chains }: CheckPorts,
  mode: Mode,
  amounts: readonly RefundedAmount[],
): Promise<ReadonlyMap<string, string>> {
  const chain = (chains as NonNullable<CheckPorts['chains']>)[mode];
  const brought_by = new Map<string | null, readonly BalanceChange[] | undefined>();
  for (const credit of new Set(amounts.map((of) => of.credit))) {
    brought_by.set(credit, (await chain.transaction(credit ?? ''))?.changes);
  }
  const balances = new Map<string, Balance>();
  const counts = new Map<string, Balance>();
  for (const of of amounts) {
    const changes = brought_by.get(of.credit);
    if (!changes) continue;
    const settlesTo = () => settlementWalletOf(eventStore, mode, of.merchant_id);
    const { wallet, brought } = await credited(chain, changes, of, settlesTo);
    const balance = balances.get(keyOf(of, wallet)) ?? { brought, refunded: 0n };
    balance.refunded += BigInt(of.refunded);
    balances.set(keyOf(of, wallet), balance);
    counts.set(keyOf(of, of.from), balance);
  }
  const over = [...counts].filter(([, { refunded, brought }]) => refunded > brought);
  return new Map(over.map(([key, { refunded, brought }]) => [key, `${refunded} are refunded of ${brought}`]));
}

/** The operating wallet or, where it got nothing, the wallet that it settles to: as the signers count it. */
async function credited(
  { mints }: OneChain,
  changes: readonly BalanceChange[],
  { from, asset }: RefundedAmount,
  settlesTo: () => Promise<string | null>,
): Promise<{ readonly wallet: string; readonly brought: bigint }> {
  const own = movedMoney(changes, from, asset, mints);
  const settlement_wallet = own > 0n ? null : await settlesTo();
  if (settlement_wallet === null) return { wallet: from, brought: own };
  const brought = movedMoney(changes, settlement_wallet, asset, mints);
  return { wallet: settlement_wallet, brought };
}

async function settlementWalletOf(
  eventStore: CheckPorts['eventStore'],
  mode: Mode,
  merchant_id: string,
): Promise<string | null> {
  const wallet = await operatingWallets.load({ eventStore }, mode, merchant_id);
  return wallet?.status === 'open' ? (wallet.roster as SignedRoster).roster.settlement_wallet : null;
}
