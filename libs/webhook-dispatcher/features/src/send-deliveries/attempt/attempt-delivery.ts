import { WEBHOOK_TEST_EVENT } from '@tender/contracts';
import type { OutboundAnswer, Runtime } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import {
  afterAttempt,
  RETRY_POLICY,
  signingSecrets,
  SINGLE_ATTEMPT,
  type DeliveryStatus,
  type Endpoint,
} from '@tender/webhook-dispatcher-domain';
import { endpoint, secretFor } from '../../configure-endpoint/endpoint.aggregate';
import { openedBody } from '../../opened-body';
import { deliveryHeaders } from '../../sign-delivery/sign-delivery';
import { signingKeys, type SigningKeys } from '../../sign-delivery/webhook-secret';
import type { ClaimedDelivery } from '../claim/claimed-delivery';
import { RESPONSE_BYTES_READ_MAX, shownResponse } from './shown-response';

/** One deadline for everything, body included. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** What an attempt makes of a delivery, as it is stored. */
export interface AttemptResult {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly next_attempt_at: number | null;
  readonly last_attempt_at: number | null;
  readonly response_code: number | null;
  readonly response_body: string | null;
  /** A sentence for the owner of the URL where nothing came back: answered and logged, but no part of the record. */
  readonly unanswered: string | null;
  /** Null where nothing was sent. */
  readonly attempt: {
    /** Wall time. */
    readonly started_at: number;
    readonly duration_ms: number;
    /** `delivered`, `refused` (not 2xx), or what the outbound port says went wrong. */
    readonly outcome: string;
  } | null;
}

type Needs = Pick<
  Runtime,
  'eventStore' | 'clock' | 'random' | 'keyRing' | 'outbound' | 'log' | 'telemetry'
>;

/**
 * Signs with the time of this attempt, sends, and works out what comes next. Never throws for a
 * receiver's fault.
 */
export async function attemptDelivery(
  runtime: Needs,
  claimed: ClaimedDelivery,
): Promise<AttemptResult> {
  const { clock, random, outbound } = runtime;
  if (!claimed.own_url && claimed.endpoint.url === null) return turnedOff(claimed);
  const attempt = claimed.attempts + 1;
  const body = Buffer.from(await openedBody(runtime, claimed.body), 'utf8');
  const keys = await keysOf(runtime, claimed);
  const started_at = clock.wall();
  const { id, event_type: event, url, correlation_id } = claimed;
  const began = beginAttempt(runtime, claimed);
  const answer = await outbound.post({
    url,
    headers: deliveryHeaders({ id, event, attempt, body, keys, at: started_at }),
    body,
    timeout_ms: ATTEMPT_TIMEOUT_MS,
    body_max: RESPONSE_BYTES_READ_MAX,
  });
  const ended_at = clock.now();
  measureAttempt(runtime, began, claimed, answer);
  if (!answer.ok) {
    const { failure, detail } = answer;
    const fields = { delivery: id, correlation_id, attempt, failure, detail };
    runtime.log.info(fields, 'a webhook was not answered');
  }
  const progress = afterAttempt(event === WEBHOOK_TEST_EVENT ? SINGLE_ATTEMPT : RETRY_POLICY, {
    attempt,
    ended_at,
    outcome: isDelivered(answer)
      ? { delivered: true }
      : { delivered: false, retry_after_ms: retryAfterMs(answer) },
    chance: random.fraction(),
  });
  if (progress.status === 'exhausted') {
    runtime.telemetry.count('tender_webhook_exhausted_total', { mode: claimed.mode });
  }
  return {
    id,
    ...progress,
    attempts: attempt,
    last_attempt_at: ended_at,
    response_code: answer.ok ? answer.status : null,
    response_body: answer.ok ? shownResponse(answer.body) : null,
    unanswered: answer.ok ? null : answer.detail,
    attempt: { started_at, duration_ms: answer.duration_ms, outcome: outcomeOf(answer) },
  };
}

/** Measures how late a first attempt is; a retry waits for its time, so its lag would say nothing. */
function beginAttempt(
  { telemetry, clock }: Needs,
  { attempts, mode, created_at }: ClaimedDelivery,
): number {
  const lag_ms = Math.max(0, clock.now() - created_at);
  if (attempts === 0) telemetry.time('tender_webhook_first_attempt_lag_seconds', lag_ms, { mode });
  return telemetry.ticks();
}

function measureAttempt(
  { telemetry }: Needs,
  began: number,
  { correlation_id, event_type, mode, attempts }: ClaimedDelivery,
  answer: OutboundAnswer,
): void {
  const outcome = outcomeOf(answer);
  telemetry.time('tender_webhook_attempt_seconds', answer.duration_ms, { outcome });
  telemetry.span({
    name: 'webhook attempt',
    kind: 'client',
    correlation_id,
    began,
    failed: outcome !== 'delivered',
    attributes: {
      'tender.event': event_type,
      'tender.mode': mode,
      'tender.attempt': attempts + 1,
      'tender.outcome': outcome,
      ...(answer.ok ? { 'http.response.status_code': answer.status } : {}),
    },
  });
}

const isDelivered = (answer: OutboundAnswer): boolean =>
  answer.ok && answer.status >= 200 && answer.status < 300;

function outcomeOf(answer: OutboundAnswer): string {
  if (!answer.ok) return answer.failure;
  return isDelivered(answer) ? 'delivered' : 'refused';
}

function retryAfterMs(answer: OutboundAnswer): number | null {
  if (!answer.ok || answer.status !== 429 || answer.retry_after === null) return null;
  const seconds = Number(answer.retry_after);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

/** The merchant has turned delivery off since the planner wrote this, and can retry it by hand later. */
const turnedOff = ({ id, attempts }: ClaimedDelivery): AttemptResult => ({
  id,
  status: 'exhausted',
  attempts,
  next_attempt_at: null,
  last_attempt_at: null,
  response_code: null,
  response_body: null,
  unanswered: 'Not sent: webhook delivery was turned off.',
  attempt: null,
});

async function keysOf(runtime: Needs, claimed: ClaimedDelivery): Promise<SigningKeys[]> {
  const { mode, merchant_id } = claimed;
  const current =
    claimed.endpoint.secret === null ? await provided(runtime, claimed) : claimed.endpoint;
  return signingSecrets(current, runtime.clock.now()).map((sealed) =>
    signingKeys(runtime.keyRing, mode, merchant_id, sealed),
  );
}

/** A payment has a webhook URL and its merchant no secret yet: the sender makes it now. */
async function provided(runtime: Needs, { mode, merchant_id }: ClaimedDelivery): Promise<Endpoint> {
  const command_id = `first-secret:${mode}:${merchant_id}`;
  const at = runtime.clock.now();
  const secret = secretFor(runtime, mode, merchant_id, { command_id, at });
  const handled = await endpoint.handle(
    runtime,
    mode,
    merchant_id,
    { type: 'ProvideSecret', secret },
    {
      command_id,
      body_hash: null,
      merchant_id,
      actor: 'system:webhook-sender',
      correlation_id: runtime.random.uuid(),
      causation_id: null,
    },
  );
  invariant(handled.ok, 'a secret is provided whatever the state');
  return handled.state;
}
