import { Body, Controller, Inject } from '@nestjs/common';
import {
  faucet,
  type FaucetBody,
  type RequestContext,
  type SignatureAnswer,
} from '@tender/contracts';
import type { LocalChain } from '@tender/eventing';
import { Caller, LOCAL_CHAIN, Serves } from '@tender/http';
import { wholeTokens } from '../whole-tokens';

@Controller()
export class FaucetHttp {
  constructor(@Inject(LOCAL_CHAIN) private readonly chain: LocalChain) {}

  @Serves(faucet)
  async give(@Caller() caller: RequestContext, @Body() body: FaucetBody): Promise<SignatureAnswer> {
    const amount = wholeTokens(body.amount, body.token);
    const mode = body.mode ?? caller.mode;
    return { signature: await this.chain.faucet(mode, body.address, body.token, amount) };
  }
}
