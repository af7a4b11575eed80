import { Body, Controller, Inject } from '@nestjs/common';
import {
  routeText,
  switchSponsor,
  type RequestContext,
  type SwitchSponsorAnswer,
  type SwitchSponsorBody,
} from '@tender/contracts';
import { recordAdminChange, type Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime, MODES } from '@tender/kernel';
import { SPONSOR_ID, sponsor } from '../sponsor/sponsor.aggregate';

@Controller()
export class SwitchSponsorHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Stops and starts fee sponsorship in both modes (specification §2.6). */
  @Serves(switchSponsor)
  async switch(
    @Caller() caller: RequestContext,
    @Body() { enabled, reason }: SwitchSponsorBody,
  ): Promise<SwitchSponsorAnswer> {
    await recordAdminChange(this.runtime, caller, {
      reason,
      route: routeText(switchSponsor),
      what: { enabled },
    });
    const at = isoTime(this.runtime.clock.wall());
    const command = { type: 'SwitchSponsor', enabled, reason, at } as const;
    for (const mode of MODES) {
      await sponsor.handle(this.runtime, mode, SPONSOR_ID, command, {
        command_id: caller.command_id,
        body_hash: caller.body_hash,
        merchant_id: null,
        actor: caller.actor,
        correlation_id: caller.correlation_id,
        causation_id: null,
      });
    }
    return { enabled, reason };
  }
}
