import { Controller, Inject, Res } from '@nestjs/common';
import { readFraudStats, type FraudStatsAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { REVIEW_FROM } from '@tender/fraud-domain';
import { Caller, RUNTIME, Serves, awaitOwnWrites } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';
import { flag } from './flag.aggregate';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A payment counts once among the blocked, however many of its wallets were. */
const FLAGS = `with own as (select * from fraud.flags where merchant_id = $1 and mode = $2),
    blocked as (select max(amount_usd_cents) as cents from own where action = 'block' group by payment_id)
  select count(*)::float8 as total,
    count(*) filter (where resolved = 'false')::float8 as unresolved,
    count(*) filter (where resolution_type = 'safe_false_positive')::float8 as safe,
    (select count(*) from blocked)::float8 as blocked,
    (select coalesce(sum(cents), 0) from blocked)::float8 as blocked_cents
  from own`;

/** A payment’s score is its highest. */
const SCORES = `with scored as (
    select max(score) as score from fraud.screenings
    where merchant_id = $1 and mode = $2 and at_ms > $3 group by payment_id
  )
  select count(*) filter (where score >= $4)::float8 as high, coalesce(avg(score), 0)::float8 as average
  from scored`;

interface FlagFigures {
  readonly total: number;
  readonly unresolved: number;
  readonly safe: number;
  readonly blocked: number;
  readonly blocked_cents: number;
}

@Controller()
export class ReadStatsHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  @Serves(readFraudStats)
  async read(
    @Caller() { merchant_id, mode }: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FraudStatsAnswer> {
    const { readModels, clock } = this.runtime;
    const min_position = this.screener.raisedAt(mode);
    const { schema } = flag.view;
    const awaited = { schema, follower: flag.view.follower(mode) };
    await Promise.all([
      awaitOwnWrites(this.runtime, { min_position }, awaited, reply),
      this.screener.writer.flush(),
    ]);
    const since_ms = clock.now() - DAY_MS;
    const [[flags], [scores]] = await Promise.all([
      readModels.query<FlagFigures>(FLAGS, [merchant_id, mode]),
      readModels.query<{ high: number; average: number }>(SCORES, [
        ...[merchant_id, mode, since_ms, REVIEW_FROM],
      ]),
    ]);
    const { total = 0, unresolved = 0, safe = 0, blocked = 0, blocked_cents = 0 } = flags ?? {};
    return {
      total_flagged: total,
      unresolved_flags: unresolved,
      resolved_safe_flags: safe,
      blocked_payments: blocked,
      false_positive_rate: total === 0 ? 0 : safe / total,
      estimated_fraud_prevented_usd: blocked_cents / 100,
      high_risk_payments_24h: scores?.high ?? 0,
      average_fraud_score_24h: scores?.average ?? 0,
    };
  }
}
