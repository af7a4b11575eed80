import { Body, Controller, Inject } from '@nestjs/common';
import {
  faucet,
  type FaucetBody,
  type RequestContext,
  type SignatureAnswer,
} from '@tender/contracts';
import { TransferRefused, type LocalChain } from '@tender/eventing';
import { Caller, invalidParameter, LOCAL_CHAIN, Serves } from '@tender/http';
import { wholeTokens } from '../whole-tokens';

@Controller()
export class FaucetHttp {
  constructor(@Inject(LOCAL_CHAIN) private readonly chain: LocalChain) {}

  @Serves(faucet)
  async give(@Caller() caller: RequestContext, @Body() body: FaucetBody): Promise<SignatureAnswer> {
    const amount = wholeTokens(body.amount, body.token);
    const mode = body.mode ?? caller.mode;
    const signature = await this.chain
      .faucet(mode, body.address, body.token, amount)
      .catch((error: unknown) => explain(error, body));
    return { signature };
  }
}

function explain(error: unknown, { token }: FaucetBody): never {
  if (!(error instanceof TransferRefused)) throw error;
  const message = `is an account that can receive no ${token}; name a wallet`;
  throw invalidParameter({ field: 'address', message });
}
