import { Controller, Inject } from '@nestjs/common';
import { readEnvironment, type EnvironmentAnswer } from '@tender/contracts';
import type { LocalChain, Runtime } from '@tender/eventing';
import { LOCAL_CHAIN, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import { SANDBOX_SETTINGS, type SandboxSettings } from '../settings';

@Controller()
export class ReadEnvironmentHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(LOCAL_CHAIN) private readonly chain: LocalChain,
    @Inject(SANDBOX_SETTINGS) private readonly settings: SandboxSettings,
  ) {}

  @Serves(readEnvironment)
  read(): EnvironmentAnswer {
    return {
      now: isoTime(this.runtime.clock.now()),
      networks: this.chain.networks,
      checkout_url: this.settings.checkout_url,
      dashboard_url: this.settings.dashboard_url,
    };
  }
}
