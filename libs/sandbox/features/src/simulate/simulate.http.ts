import { createPrivateKey, createPublicKey } from 'node:crypto';
import { Body, Controller, Inject } from '@nestjs/common';
import {
  arrangeScreening,
  describePayment,
  modeOf,
  paymentIds,
  simulate,
  type PayableSummary,
  type RequestContext,
  type Scenario,
  type SimulateAnswer,
  type SimulateBody,
} from '@tender/contracts';
import type { LocalChain, Runtime } from '@tender/eventing';
import { Caller, LOCAL_CHAIN, notFound, RUNTIME, Serves } from '@tender/http';
import type { Token } from '@tender/kernel';
import bs58 from 'bs58';
import { sameNumber } from '../whole-tokens';

/** Each is a token that the payment is not in. */
const ANOTHER: Readonly<Record<Token, Token>> = { USDC: 'USDT', USDT: 'USDC', SOL: 'USDC' };

/** The buttons of the checkout page’s simulator: for anybody, for one test payment, with test money. */
@Controller()
export class SimulateHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(LOCAL_CHAIN) private readonly chain: LocalChain,
  ) {}

  @Serves(simulate)
  async simulate(
    @Caller() { correlation_id }: RequestContext,
    @Body() { payment_id, scenario }: SimulateBody,
  ): Promise<SimulateAnswer> {
    // Nothing is simulated in live.
    if (modeOf(paymentIds, payment_id) !== 'test') throw notFound();
    const asked = { mode: 'test', correlation_id } as const;
    const due = await this.runtime.calls.ask(describePayment, { payment_id }, asked);
    if (!due) throw notFound();
    const done =
      scenario === 'block'
        ? { signature: null, wallet: await this.blockedWallet(correlation_id) }
        : await this.pay(due, scenario);
    return { payment_id, scenario, ...done };
  }

  /** A wallet that no customer has: who builds for it is refused as a blocked customer is, and no one else notices. */
  private async blockedWallet(correlation_id: string): Promise<string> {
    const { random, calls } = this.runtime;
    const wallet = addressOf(random.bytes(32));
    await calls.ask(
      arrangeScreening,
      { kind: 'wallet', value: wallet, action: 'block' },
      { mode: 'test', correlation_id, command_id: `simulate:${random.uuid()}` },
    );
    return wallet;
  }

  private pay(due: PayableSummary, scenario: Exclude<Scenario, 'block'>) {
    const token = scenario === 'wrong_token' ? ANOTHER[due.token] : due.token;
    const whole = sameNumber(due, token);
    const { wallet_address: recipient, reference } = due;
    const amount = scenario === 'underpay' ? whole / 2n : whole;
    return this.chain.pay('test', { recipient, token, amount, reference, from: null });
  }
}

const PKCS8_OF_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Of the key that this seed makes: only such an address can sign, and be built for. */
function addressOf(seed: Uint8Array): string {
  const der = Buffer.concat([PKCS8_OF_ED25519, seed]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return bs58.encode(key.export({ format: 'der', type: 'spki' }).subarray(-32));
}
