import type { Language } from '@tender/page';
import {
  challengeFor,
  challengeText,
  type ProvenOperation,
  type ReadRequest,
} from '@tender/threshold/approval';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ApproveActions } from '../approve/actions';
import { ApprovePage } from '../approve/page';
import { firstApproveView, type ApproveView } from '../approve/view';
import { APPROVE_WORDS } from '../approve/words/words';
import { WALLET } from './views';

const merchant_id = '8f4b2c1e-6a0d-8c3f-9b7e-2d5a4c6e8f00';
const OF_WALLET = { merchant_id, mode: 'live', wallet: WALLET } as const;
const credential_id = 'kq3Vd0Jm1xFh5b8QyT2nRw';
const public_key = 'pQECAyYgASFYIBERERERERERERERERERERERERERERERERERERERERERIlggERERERERERERERERERERERERERERERERERERERERERE';

/** One of each kind. */
export const OPERATIONS: readonly ProvenOperation[] = [
  { type: 'unfreeze_operating_wallet', ...OF_WALLET },
  { type: 'set_operating_wallet_limits', ...OF_WALLET, per_day_cents: 2_500_050 },
  { type: 'pin_passkey', merchant_id, credential_id, public_key },
  { type: 'unpin_passkey', merchant_id, credential_id },
];

const EXPIRES_MS = 1_800_000_000_000;

export function requestFor(operation: ProvenOperation, expires_ms = EXPIRES_MS): ReadRequest {
  const challenge = challengeText(challengeFor(operation, { nonce: 'ab'.repeat(16), expires_ms }));
  return { operation, challenge, expires_ms };
}

/** Longer in every field than any that there is. */
export const LONG_REQUEST = requestFor({
  ...{ type: 'pin_passkey', merchant_id: 'W'.repeat(100) },
  ...{ credential_id: 'W'.repeat(1_364), public_key: 'W'.repeat(1_400) },
});

const [unfreeze, limits, pin, unpin] = OPERATIONS.map((operation) => requestFor(operation)) as [
  ReadRequest, ReadRequest, ReadRequest, ReadRequest,
];

const at = (change: Partial<ApproveView>): ApproveView => ({ ...firstApproveView('en'), ...change });
const asked = (request: ReadRequest, change: Partial<ApproveView> = {}): ApproveView =>
  at({ state: 'asked', request, ...change });
const signature = JSON.stringify({
  ...{ credential_id, authenticator_data: 'A'.repeat(50), client_data_json: 'A'.repeat(300) },
  signature: 'A'.repeat(95),
});
const approved = (change: Partial<ApproveView> = {}): ApproveView =>
  at({ state: 'approved', request: unfreeze, signature, ...change });

/** Every screen that there is, by what it shows. */
export const APPROVE_VIEWS: Readonly<Record<string, ApproveView>> = {
  opening: at({}),
  'no request': at({ state: 'no request' }),
  altered: at({ state: 'altered' }),
  expired: at({ state: 'expired' }),
  'no passkeys': at({ state: 'no passkeys' }),
  unfreeze: asked(unfreeze),
  limits: asked(limits),
  'pin a passkey': asked(pin),
  'unpin a passkey': asked(unpin),
  'passkey asked': asked(limits, { waiting: true }),
  'passkey refused': asked(limits, { note: 'refused' }),
  approved: approved(),
  taken: approved({ is_taken: true }),
  copied: approved({ is_copied: true }),
  'not copied': approved({ is_copied: false }),
};

const NO_ACTIONS = {} as ApproveActions;

/** What the script draws for a view, as HTML. */
export const drawnApprove = (view: ApproveView, language: Language = view.language): string =>
  renderToString(
    h(ApprovePage, {
      ...{ view: { ...view, language }, words: APPROVE_WORDS[language], actions: NO_ACTIONS },
    }),
  );
