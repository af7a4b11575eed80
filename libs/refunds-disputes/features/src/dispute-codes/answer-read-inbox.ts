import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { readDisputeInbox } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { answerInbox, RUNTIME } from '@tender/http';

@Injectable()
export class AnswerReadInbox implements OnModuleInit {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onModuleInit(): void {
    answerInbox(this.runtime, readDisputeInbox);
  }
}
