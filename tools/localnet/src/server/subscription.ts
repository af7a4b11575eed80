import { accountFilterOf, type AccountFilter } from '../rpc/account-filter';
import type { Commitment } from '../ledger/ledger-settings';
import type { Vm } from '../ledger/vm';
import {
  addressOf, commitmentOf, fieldsOf, isFields, listOf, signatureOf, type Params,
} from '../rpc/params';
import {
  accountFormOf, checkBase58, renderAccount, type AccountForm,
} from '../rpc/render-account';
import { invalidParams } from '../rpc/rpc-error';

export const SUBSCRIPTION_KINDS = [
  'signature', 'slot', 'root', 'logs', 'account', 'program',
] as const;
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/** The socket of a subscriber. */
export interface Subscriber {
  send(text: string): void;
}

/** What a subscriber wants to hear. */
export interface Wanted {
  readonly kind: SubscriptionKind;
  /** A signature, an address, or null for everything. */
  readonly key: string | null;
  readonly commitment: Commitment;
  readonly form: AccountForm;
  readonly filter: AccountFilter;
  /** Of a signature: also that it has arrived, before it has the commitment. */
  readonly received: boolean;
}

export interface Subscription extends Wanted {
  readonly id: number;
  readonly subscriber: Subscriber;
}

/** Reads the parameters of a `…Subscribe`. Refuses what no notification could show. */
export function readWanted(vm: Vm, kind: SubscriptionKind, params: Params): Wanted {
  // These two have no parameters, whatever a client sends.
  const [first, config] = kind === 'slot' || kind === 'root' ? [] : params;
  const fields = fieldsOf(config);
  const wanted: Wanted = {
    kind,
    key: keyOf(kind, first),
    commitment: commitmentOf(fields),
    form: accountFormOf(fields),
    filter: accountFilterOf(fields['filters']),
    received: fields['enableReceivedNotification'] === true,
  };
  refuseUnshowable(vm, wanted);
  return wanted;
}

/** Base58 of data that is too long for it already; data that becomes so later is sent as base64. */
function refuseUnshowable(vm: Vm, { kind, key, form, filter }: Wanted): void {
  if (kind === 'account' && key !== null) renderAccount(vm, vm.account(key), form);
  if (kind === 'program' && filter.size !== null) checkBase58(filter.size, form);
}

function keyOf(kind: SubscriptionKind, value: unknown): string | null {
  if (kind === 'signature') return signatureOf(value);
  if (kind === 'account' || kind === 'program') return addressOf(value);
  if (kind === 'slot' || kind === 'root') return null;
  if (value === 'all' || value === 'allWithVotes') return null;
  const mentions = isFields(value) ? listOf(value['mentions'], 1) : [];
  if (mentions.length !== 1) throw invalidParams('Invalid Request: Only 1 address supported');
  return addressOf(mentions[0]);
}
