import {
  closePaymentLink,
  openedLinkId,
  openPaymentLink,
  payByLink,
  readPayment,
  type ClaimRefusal,
  type LinkClaim,
} from '@tender/contracts';
import { NotThisOne } from '@tender/eventing';
import { done, refuse, type Mode } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';

/** A link as billing has asked for it, and what it has done with it since. */
export interface PlayedLink {
  readonly payment_link_id: string;
  readonly claim: LinkClaim;
  readonly mode: Mode;
  /** The payments that were begun by it. */
  readonly payment_ids: string[];
  /** Those that were confirmed. */
  readonly paid: string[];
  is_closed: boolean;
}

export interface PlayedPayments {
  /** In the order in which they were opened. */
  readonly links: PlayedLink[];
  /** What payments answers from now on to who wants a link; null: it opens them. */
  refusal: ClaimRefusal | null;
  /** Happens while billing waits for the next link; null: nothing does. */
  meanwhile: (() => Promise<void>) | null;
  /** The chain is seen up to so much before now: until it is seen past their end, payments are pending. */
  chain_lag_ms: number;
  /** The chain was seen past the end of its payment, and there was no money. */
  expire(link: PlayedLink): Promise<void>;
  /** Objects by whose links payments cannot begin a payment now. */
  readonly unpayable: Set<unknown>;
  /** The newest one, of the object where it is named in the metadata of the claim. */
  linkOf(object_id: string): PlayedLink;
  /** The chain has the money. */
  confirm(link: PlayedLink, of?: { payment_id?: string; at?: string }): Promise<void>;
}

const UNABLE = new NotThisOne('screening', { reason: 'the sanctions list is stale' });

/** Payments, as far as billing knows them: links for one thing, with one open payment each. */
export function playPayments(stage: ContextStage): PlayedPayments {
  const { calls, clock, keyRing } = stage.runtime;
  const by_command = new Map<string | null, PlayedLink>();
  const played: PlayedPayments = {
    links: [],
    refusal: null,
    meanwhile: null,
    chain_lag_ms: 0,
    async expire(link) {
      const [payment_id] = link.payment_ids;
      const { payment_link_id } = link;
      const { merchant_id, metadata = {} } = link.claim;
      const payment = { id: payment_id, merchant_id, payment_link_id, metadata };
      await stage.say(`payment.${link.mode}-${payment_id}`, 'payments.payment-expired.v1', { payment });
    },
    unpayable: new Set(),
    linkOf(object_id) {
      const found = played.links.findLast(({ claim }) =>
        Object.values(claim.metadata ?? {}).includes(object_id),
      );
      if (!found) throw new Error(`no link was opened for ${object_id}`);
      return found;
    },
    async confirm({ payment_link_id, claim, mode, payment_ids }, of = {}) {
      const { payment_id = payment_ids[0] ?? `pay_test_of_${payment_link_id}` } = of;
      const { at = new Date(clock.now()).toISOString() } = of;
      const { merchant_id } = claim;
      find(payment_link_id)?.paid.push(payment_id);
      const { metadata = {} } = claim;
      const payment = { id: payment_id, merchant_id, payment_link_id, confirmed_at: at, metadata };
      await stage.say(`payment.${mode}-${payment_id}`, 'payments.payment-confirmed.v1', { payment });
    },
  };
  calls.answer(openPaymentLink, async (claim, { mode, command_id }) => {
    if (played.refusal) return refuse(played.refusal);
    const { meanwhile } = played;
    played.meanwhile = null;
    await meanwhile?.();
    const known = by_command.get(command_id);
    const link = known ?? {
      payment_link_id: openedLinkId(keyRing, mode as Mode, claim, command_id ?? ''),
      ...{ claim, mode: mode as Mode },
      ...{ payment_ids: [], paid: [], is_closed: false },
    };
    if (!known) played.links.push(link);
    by_command.set(command_id, link);
    const { payment_link_id } = link;
    const hosted_page_url = `http://pay.test/l/${payment_link_id}`;
    return done({ payment_link_id, link_code: payment_link_id, hosted_page_url });
  });
  const find = (id: string) => played.links.find(({ payment_link_id }) => payment_link_id === id);
  calls.answer(closePaymentLink, async ({ payment_link_id, merchant_id }) => {
    const link = find(payment_link_id);
    if (link?.claim.merchant_id !== merchant_id) return refuse('payment_link_not_found');
    link.is_closed = true;
    const seen = new Date(clock.now() - played.chain_lag_ms).toISOString();
    const until = link.claim.payments_expire_at ?? seen;
    const is_pending = link.payment_ids.length > 0 && seen < until;
    return done({ payment_link_id, may_be_paid: is_pending || link.paid.length > 0 });
  });
  calls.answer(payByLink, async ({ link_code }) => {
    const link = find(link_code);
    if (!link) return refuse('payment_link_not_found');
    if (link.is_closed) return refuse('payment_link_closed');
    const named = Object.values(link.claim.metadata ?? {});
    if (named.some((id) => played.unpayable.has(id))) throw UNABLE;
    if (link.payment_ids.length === 0) link.payment_ids.push(`pay_test_by_${link_code}`);
    return done({ payment_id: link.payment_ids[0] as string });
  });
  calls.answer(readPayment, async ({ payment_id }) => {
    const link = played.links.find(({ payment_ids }) => payment_ids.includes(payment_id));
    const { merchant_id, amount, currency, payments_expire_at: expires_at } = link?.claim ?? {};
    const shown = { ...PAYMENT, id: payment_id, merchant_id, amount, currency, expires_at };
    return link ? (shown as never) : null;
  });
  return played;
}

const PAYMENT = {
  ...{ payment_url: 'http://pay.test/p/1', qr_code: 'solana:W1', payment_token: 'USDC' },
  ...{ mode: 'test', reference: 'R1', wallet_address: 'W1', metadata: {} },
  ...{ token_amount: '29990000', status: 'pending' },
};
