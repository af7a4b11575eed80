import { hash } from 'node:crypto';
import type { Clock } from '@tender/kernel';
import type { KeyRing } from '@tender/eventing';
import { ApiError, invalidParameter } from '@tender/http';
import type { EdgeHeaders } from '../admission/read-headers';
import type { AnswerBytes, StoredAnswers } from './stored-answer.record';

export const ANSWER_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A request that may go on, and under which id. */
export interface Claim {
  readonly command_id: string;
  readonly id_seed: string;
  /** Ends the claim. An answer that is final is kept for a client that sends the key again. */
  end(answer: AnswerBytes): void;
}

export type Claimed =
  | { readonly kind: 'go_on'; readonly claim: Claim }
  | { readonly kind: 'replay'; readonly answer: AnswerBytes };

export interface IdempotencyOptions {
  readonly answers: StoredAnswers;
  readonly keyRing: Pick<KeyRing, 'idBytes'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Final whatever happens next; the others are decided anew (specification §1.8). */
const isFinal = (status: number): boolean =>
  (status >= 200 && status < 300) || status === 400 || status === 402 || status === 422;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key of a request: null without one. Sent twice, empty, too long or not visible: 400. */
export function idempotencyKeyIn(headers: EdgeHeaders): string | null {
  const { idempotency_key, idempotency_keys } = headers;
  if (idempotency_keys === 0) return null;
  if (idempotency_keys === 1 && idempotency_key !== undefined && KEY.test(idempotency_key)) {
    return idempotency_key;
  }
  throw invalidParameter({
    field: 'Idempotency-Key',
    message: 'must be sent once, with 1 to 255 visible ASCII characters',
  });
}

const reused = (): ApiError =>
  new ApiError(
    409,
    'idempotency_key_reused',
    'This Idempotency-Key was used with another request. Send a new key.',
  );

const inFlight = (): ApiError =>
  new ApiError(
    409,
    'idempotency_in_flight',
    'The same request is still running. Ask again in a second.',
    {},
    { 'Retry-After': '1' },
  );

/**
 * One effect per key (specification §1.8). Nothing is written before the command's own append: keys under way are
 * a map in this process, and a repeat that it forgot in a crash meets the first command's events, because ids
 * and `command_id` derive from the key (P7, ADR 0003).
 */
export function idempotency({ answers, keyRing, clock }: IdempotencyOptions) {
  const under_way = new Map<string, string>();

  return { claim, underWay: (): number => under_way.size };

  /** `scope`: merchant, mode, method, template and key; `fingerprint`: path, query and canonical body. */
  async function claim(scope_parts: readonly string[], fingerprint: string): Promise<Claimed> {
    const scope = hash('sha256', JSON.stringify(scope_parts));
    const running = under_way.get(scope);
    if (running !== undefined) throw running === fingerprint ? inFlight() : reused();
    under_way.set(scope, fingerprint);
    try {
      const known = await answers.find(scope);
      if (known?.answer) {
        if (known.fingerprint !== fingerprint) throw reused();
        under_way.delete(scope);
        return { kind: 'replay', answer: known.answer };
      }
      // A key may be used anew after 24 h. Its first command's stream still exists, so the next one takes
      // other ids: n of ADR 0003 is how many answers of this key have run out. The record outlives its
      // answer for that; where a crash lost it, the repeat finds the old command and is answered from the log.
      const generation = known ? known.generation + 1 : 0;
      return { kind: 'go_on', claim: claimOf(scope, fingerprint, generation) };
    } catch (error) {
      under_way.delete(scope);
      throw error;
    }
  }

  function claimOf(scope: string, fingerprint: string, generation: number): Claim {
    const bytes = keyRing.idBytes(`request|${scope}|${generation}`);
    return {
      command_id: bytes.subarray(0, 16).toString('hex'),
      id_seed: bytes.subarray(16, 32).toString('hex'),
      end(answer) {
        if (isFinal(answer.status)) {
          answers.keep({ scope, generation, fingerprint, answered_at: clock.now(), answer });
        }
        under_way.delete(scope);
      },
    };
  }
}

export type Idempotency = ReturnType<typeof idempotency>;
