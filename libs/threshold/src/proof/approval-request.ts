import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base64url, bytesOfBase64url } from '../base64url';
import { challengeFor, challengeText, readChallenge, type ProvenOperation } from './challenge';
import { hasShape, isText, type Check } from '../has-shape';

/** What the approval page is opened with. Nothing in it is a secret, and nothing of it is believed. */
export interface ApprovalRequest {
  readonly operation: ProvenOperation;
  /** What a passkey signs for it, base64url. */
  readonly challenge: string;
}

/** A request whose challenge is that of its operation: what is shown is what is signed. */
export interface ReadRequest extends ApprovalRequest {
  /** Wall time in ms after which no signer takes it. */
  readonly expires_ms: number;
}

/** `altered`: the challenge is that of something else than the operation says. */
export type RequestFault = 'malformed' | 'altered';

/** The link under which the approval page shows a request: behind `#`, so that no server hears of it. */
export const approvalUrl = (approval_origin: string, request: ApprovalRequest): string =>
  `${approval_origin}/approve#${base64url(utf8ToBytes(JSON.stringify(request)))}`;

/**
 * Reads what follows the `#`, and makes the challenge anew from the operation. Wall time in ms. A challenge that ends
 * much later than challenges do is `altered`: what a passkey signs today could be used when it is nearly over.
 */
export function readApproval(fragment: string, now_ms: number): ReadRequest | RequestFault {
  const request = requestIn(fragment);
  const challenge = request && readChallenge(request.challenge);
  if (!challenge) return 'malformed';
  const { operation } = request;
  const is_same = challengeText(challengeFor(operation, challenge)) === request.challenge;
  if (!is_same || challenge.expires_ms > now_ms + AHEAD_MS_MAX) return 'altered';
  return { ...request, expires_ms: challenge.expires_ms };
}

/** Two minutes, and what the clock of a device may be behind. */
const AHEAD_MS_MAX = 10 * 60_000;

function requestIn(fragment: string): ApprovalRequest | null {
  const bytes = bytesOfBase64url(fragment);
  const value = bytes && jsonIn(bytes);
  const is_request = hasShape(value, { operation: isOperation, challenge: isText });
  return is_request ? (value as ApprovalRequest) : null;
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

/** Ids, addresses and keys: nothing that could look like something else on a screen. */
const isPlain: Check = (value) => typeof value === 'string' && /^[\w-]{1,1400}$/.test(value);
const isMode: Check = (value) => value === 'test' || value === 'live' || value === 'all';
const isCents: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0;

const OF_WALLET = { merchant_id: isPlain, mode: isMode, wallet: isPlain };
const OF_PASSKEY = { merchant_id: isPlain, credential_id: isPlain };
const FIELDS: Readonly<Record<ProvenOperation['type'], Readonly<Record<string, Check>>>> = {
  unfreeze_operating_wallet: OF_WALLET,
  set_operating_wallet_limits: { ...OF_WALLET, per_day_cents: isCents },
  pin_passkey: { ...OF_PASSKEY, public_key: isPlain },
  unpin_passkey: OF_PASSKEY,
};

const isType = (type: unknown): type is ProvenOperation['type'] =>
  typeof type === 'string' && Object.hasOwn(FIELDS, type);

const isOperation: Check = (value) => {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  return isType(type) && hasShape(value, { type: isText, ...FIELDS[type] });
};
