import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  flagIds,
  modeOf,
  resolveFraudFlag,
  routeText,
  type FlagAnswer,
  type RequestContext,
  type ResolveFlagBody,
} from '@tender/contracts';
import { recordAdminChange, type Runtime } from '@tender/eventing';
import type { flagDecider, ResolveFlag } from '@tender/fraud-domain';
import { accepted, Caller, notFound, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';
import { flag } from './flag.aggregate';
import { renderFlag } from './render-flag';

@Controller()
export class ResolveFlagHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  @Serves(resolveFraudFlag)
  async resolve(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() { resolution_type, notes }: ResolveFlagBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FlagAnswer> {
    const mode = modeOf(flagIds, id);
    const known = mode && (await flag.load(this.runtime, mode, id));
    if (!known) throw notFound();
    const what = { flag_id: id, resolution_type };
    await recordAdminChange(this.runtime, caller, {
      reason: notes,
      route: routeText(resolveFraudFlag),
      what,
    });
    const { merchant_id } = known.terms;
    const { handled } = await flag.request(
      this.runtime,
      { ...caller, mode, merchant_id },
      ({ actor }) => {
        const resolved_at = isoTime(this.runtime.clock.now());
        const resolution = { resolution_type, notes, resolved_by: actor, resolved_at };
        return { id, command: { type: 'ResolveFlag', resolution } as const };
      },
    );
    const { state, position } = accepted(handled, REFUSALS, reply);
    this.screener.raised(mode, position);
    return renderFlag(this.runtime.keyRing, state);
  }
}

const REFUSALS: RefusalAnswers<RefusalOf<typeof flagDecider, ResolveFlag>> = {
  flag_unknown: [404, 'not_found', 'There is no such resource.'],
  flag_already_resolved: [409, 'flag_already_resolved', 'The flag was resolved before.'],
};
