import { Body, Controller, Inject } from '@nestjs/common';
import { advanceClock, type AdvanceClockBody, type ClockAnswer } from '@tender/contracts';
import type { LocalChain, Runtime, Stage } from '@tender/eventing';
import { LOCAL_CHAIN, RUNTIME, Serves, STAGE } from '@tender/http';
import { isoTime } from '@tender/kernel';
import { AdvanceClock } from './advance-clock';

@Controller()
export class AdvanceClockHttp {
  private readonly clock: AdvanceClock;

  constructor(
    @Inject(RUNTIME) runtime: Runtime,
    @Inject(STAGE) stage: Stage,
    @Inject(LOCAL_CHAIN) chain: LocalChain,
  ) {
    this.clock = new AdvanceClock(runtime, stage, chain);
  }

  @Serves(advanceClock)
  async advance(@Body() body: AdvanceClockBody): Promise<ClockAnswer> {
    return { now: isoTime(await this.clock.by(body.seconds)) };
  }
}
