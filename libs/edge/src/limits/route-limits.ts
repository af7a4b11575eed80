import type { LimitCategory, MerchantHolder, Route } from '@tender/contracts';
import type { KeyRing } from '@tender/eventing';
import { addressHash } from '@tender/http';
import type { Clock } from '@tender/kernel';
import {
  BAD_KEY_LIMIT,
  LOGIN_LIMIT,
  MERCHANT_LIMITS,
  PUBLIC_LIMIT,
  SIGN_UP_LIMIT,
  STATUS_LIMIT,
  WEBHOOK_TEST_LIMIT,
  type EdgeConfig,
} from '../edge-options';
import { merchantOf, type Identity } from '../admission/credentials';
import { Limiter, type Verdict } from './limiter';
import type { LimitBlocks } from './limit-block.record';

export interface RouteLimitsOptions {
  readonly clock: Pick<Clock, 'wall'>;
  readonly blocks: LimitBlocks;
  readonly gateway: string;
  readonly keyRing: Pick<KeyRing, 'idBytes'>;
  readonly config: Pick<EdgeConfig, 'rate_limits' | 'limits'>;
}

/**
 * Which bucket a request takes from (specification §1.9). Merchants and sign-ups are counted over crashes and
 * gateways, sign-ups by a hash of the address. What strangers ask for, sign-ins among it, is counted in memory only, so
 * that they cannot make the database work.
 */
export function routeLimits({ clock, blocks, gateway, keyRing, config }: RouteLimitsOptions) {
  const refuses = config.rate_limits === 'default';
  const kept = new Limiter({ clock, gateway, refuses, blocks: refuses ? blocks : null });
  const memory = new Limiter({ clock, gateway, refuses, blocks: null });
  const bad_keys = new Limiter({ clock, gateway, refuses, blocks: null, span_seconds: 60 });
  const defaults = { ...MERCHANT_LIMITS, ...config.limits };

  return { admit, admitNamed, giveBack, admitBadKey, lookAtBadKeys, lookAt, missed };

  function admit(
    { limit }: Pick<Route, 'limit'>,
    identity: Identity,
    ip: string,
    /** Null: the body will name it. */
    object: string | null,
  ): Verdict | Promise<Verdict> {
    const holder = merchantOf(identity);
    switch (limit) {
      case 'creation':
      case 'read':
      case 'other':
        if (holder !== null) {
          const { merchant_id, limits } = holder;
          return kept.admit(`merchant|${merchant_id}|${limit}`, (limits ?? defaults)[limit]);
        }
        if (identity.kind === 'admin') return lookAt(ip);
        return admitStranger(limit, ip, object);
      case 'webhook_test':
        if (holder === null) return lookAt(ip);
        return kept.admit(testsOf(holder), WEBHOOK_TEST_LIMIT);
      case 'sign_up':
        if (identity.kind === 'admin') return lookAt(ip);
        return kept.admit(`sign-up|${addressHash(keyRing, 'sign-up', ip)}`, SIGN_UP_LIMIT);
      case 'login':
        return memory.admit(`login|${ip}`, LOGIN_LIMIT);
      case 'public':
      case 'status':
        return admitStranger(limit, ip, object);
      case 'none':
        return lookAt(ip);
    }
  }

  /** A webhook test for which there was no place has sent nothing. Null: such a request counts in any case. */
  function giveBack({ limit }: Pick<Route, 'limit'>, identity: Identity, at_ms: number): Verdict | null {
    const holder = merchantOf(identity);
    if (limit !== 'webhook_test' || holder === null) return null;
    return kept.giveBack(testsOf(holder), WEBHOOK_TEST_LIMIT, at_ms);
  }

  function admitStranger(category: LimitCategory, ip: string, object: string | null): Verdict {
    const [bucket, limit] = [bucketOf(category, ip, object ?? ''), limitOf(category)];
    // Guesses at ids have a bucket each; what bounds them is how often this IP was wrong (S20).
    const misses = memory.look(missesOf(ip), PUBLIC_LIMIT);
    if (object !== null && refuses && !misses.admitted && !memory.knows(bucket)) return misses;
    return memory.admit(bucket, limit) as Verdict;
  }

  /** A stranger’s request, let in before its body was there, is one for the object that this names. */
  function admitNamed({ limit }: Pick<Route, 'limit'>, ip: string, object: string, before: Verdict): Verdict {
    memory.giveBack(bucketOf(limit, ip, ''), limitOf(limit), before.at_ms);
    return admitStranger(limit, ip, object);
  }

  /** A public request named an object that does not exist, or its body named none that was looked for. */
  function missed(ip: string): void {
    void memory.admit(missesOf(ip), PUBLIC_LIMIT);
  }

  function admitBadKey(ip: string): Verdict {
    return bad_keys.admit(ip, BAD_KEY_LIMIT) as Verdict;
  }

  /** Whether one more bad key may be sent; takes nothing, as the key may be good. */
  function lookAtBadKeys(ip: string): Verdict {
    const verdict = bad_keys.look(ip, BAD_KEY_LIMIT);
    return refuses ? verdict : { ...verdict, admitted: true };
  }

  /** The IP's own bucket: what answers show that take from none. */
  function lookAt(ip: string): Verdict {
    return { ...memory.look(missesOf(ip), PUBLIC_LIMIT), admitted: true };
  }
}

export type RouteLimits = ReturnType<typeof routeLimits>;

const testsOf = ({ merchant_id }: Pick<MerchantHolder, 'merchant_id'>): string =>
  `merchant|${merchant_id}|webhook_test`;
const missesOf = (ip: string): string => `misses|${ip}`;
const bucketOf = (category: LimitCategory, ip: string, object: string): string => `${category}|${ip}|${object}`;
const limitOf = (category: LimitCategory): number => (category === 'status' ? STATUS_LIMIT : PUBLIC_LIMIT);
