import { Body, Controller, Inject, Res } from '@nestjs/common';
import type { merchantDecider, RegisteredMerchant, RegisterMerchant } from '@tender/accounts-domain';
import {
  createMerchant,
  type CreateMerchantAnswer,
  type CreateMerchantBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import {
  accepted,
  ApiError,
  Caller,
  invalidParameter,
  RUNTIME,
  Serves,
  type RefusalAnswers,
} from '@tender/http';
import { timeOf, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { untilUsable } from '../create-key/until-usable';
import { KEY_DIRECTORY, type KeyDirectory } from '../key-directory/key-directory';
import { keyTextOf } from '../key-secret';
import { setupTokenOf, setupUrlOf } from '../passkey-setup/setup-token';
import { ACCOUNT_SETTINGS, type AccountSettings } from '../settings';
import { checkWalletAddress } from './check-wallet-address';
import { registerMerchant } from './register-merchant';

const REGISTER_REFUSALS: RefusalAnswers<RefusalOf<typeof merchantDecider, RegisterMerchant>> = {
  merchant_exists: [409, 'merchant_exists', 'A merchant with this e-mail exists. Sign in instead.'],
};

@Controller()
export class CreateMerchantHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
    @Inject(ACCOUNT_SETTINGS) private readonly settings: AccountSettings,
  ) {}

  @Serves(createMerchant)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreateMerchantBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreateMerchantAnswer> {
    checkWallet(body);
    if (body.wallet_address != null) await checkWalletAddress(this.runtime, body.wallet_address);
    if (body.webhook_url != null) {
      const fault = await this.runtime.outbound.refusal(body.webhook_url);
      if (fault) throw invalidParameter({ field: 'webhook_url', message: fault });
    }
    const { handled, asked } = await registerMerchant(this.runtime, caller, body);
    const { state, position } = accepted(handled, REGISTER_REFUSALS, reply);
    await untilUsable(this.directory, position);
    return this.answer(state, asked, body);
  }

  private answer(
    merchant: RegisteredMerchant,
    { command_id }: RequestContext,
    body: CreateMerchantBody,
  ): CreateMerchantAnswer {
    const { merchant_id, wallet_type, wallet_address, created_at } = merchant;
    const { keyRing } = this.runtime;
    const issued = { command_id, issued_ms: timeOf(created_at) };
    const setup_url = () =>
      setupUrlOf(this.settings.approval_url, setupTokenOf(keyRing, merchant_id, issued));
    return {
      id: merchant_id,
      name: body.name.trim(),
      email: body.email.trim(),
      support_email: (body.support_email ?? body.email).trim(),
      api_key: keyTextOf(keyRing, command_id, { mode: 'test', created_at }),
      passkey_setup_url: wallet_type === 'mpc_passkey' ? setup_url() : null,
      wallet_address,
      created_at,
    };
  }
}

/** A wallet address goes with `external` and only with it: dropping one silently would lose money. */
function checkWallet({ wallet_generation_method, wallet_address }: CreateMerchantBody): void {
  const is_external = wallet_generation_method === 'external';
  if (is_external && wallet_address == null) {
    const message = 'is required when wallet_generation_method is external';
    throw new ApiError(400, 'missing_required_field', `wallet_address ${message}`, {
      fields: [{ field: 'wallet_address', message }],
    });
  }
  if (!is_external && wallet_address != null) {
    const message = 'goes with wallet_generation_method external only';
    throw invalidParameter({ field: 'wallet_address', message });
  }
}
