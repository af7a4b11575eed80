import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { screenPayment } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { invariant } from '@tender/kernel';
import { Screener } from './screener';
import { SCREENER } from './screener.token';

/** Answers payments, in any replica. */
@Injectable()
export class AnswerScreenPayment implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  onModuleInit(): void {
    this.runtime.calls.answer(screenPayment, (request, asked) => {
      const { mode } = asked;
      invariant(mode !== 'all', 'a payment is of one mode');
      return this.screener.screen(request, { ...asked, mode });
    });
  }

  /**
   * Before it listens: what the first screenings look at takes longer to read than they have time, and many may come at
   * once. Where it cannot be read now, the first one tries again.
   */
  async onApplicationBootstrap(): Promise<void> {
    await this.screener.memory.ready()?.catch((error: unknown) => {
      this.runtime.log.warn({ err: error }, 'what screenings look at is read with the first one');
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.screener.close();
  }
}
