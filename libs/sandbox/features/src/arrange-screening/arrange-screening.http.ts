import { Body, Controller, Inject } from '@nestjs/common';
import {
  arrangeScreening,
  arrangeScreeningHelper,
  type RequestContext,
  type ScreeningAnswer,
  type ScreeningBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, invalidParameter, RUNTIME, Serves } from '@tender/http';
import { arrangementOf } from './arrangement-of';

@Controller()
export class ArrangeScreeningHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(arrangeScreeningHelper)
  async arrange(
    @Caller() { mode, correlation_id, command_id }: RequestContext,
    @Body() body: ScreeningBody,
  ): Promise<ScreeningAnswer> {
    const asking = { mode, correlation_id, command_id };
    const arrangement = arrangementOf(body);
    const arranged = await this.runtime.calls.ask(arrangeScreening, arrangement, asking);
    if (arranged.ok) return arranged.value;
    throw invalidParameter({ field: arrangement.kind, message: String(arranged.details?.['message']) });
  }
}
