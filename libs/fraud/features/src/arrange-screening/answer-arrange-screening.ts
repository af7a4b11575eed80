import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { arrangeScreening, type ScreeningArrangement } from '@tender/contracts';
import type { Asked, CommandOrigin, Runtime } from '@tender/eventing';
import type { ListKind } from '@tender/fraud-domain';
import { RUNTIME } from '@tender/http';
import { done, isoTime, refuse } from '@tender/kernel';
import { blockEntry } from '../block-list/block-entry.aggregate';
import { entryIdOf, newEntry, valueFault } from '../block-list/new-entry';
import { sanctions, THE_LIST } from '../sanctions/sanctions.aggregate';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';

/** For the test helpers, which exist only where no money is real (specification §5). */
@Injectable()
export class AnswerArrangeScreening implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  onModuleInit(): void {
    this.runtime.calls.answer(arrangeScreening, async (arrangement, asked) => {
      const fault = arrangement.kind === 'list' ? null : valueFault(arrangement.kind, arrangement.value);
      if (fault !== null) return refuse('invalid_value', { message: fault });
      await this.arrange(arrangement, this.originOf(asked));
      const { entries_copy, sanctions } = this.screener.memory;
      await Promise.all([entries_copy.upToDate(), sanctions.copy.upToDate()]);
      return done({ arranged: true as const });
    });
  }

  private async arrange(arrangement: ScreeningArrangement, origin: CommandOrigin): Promise<void> {
    if (arrangement.kind === 'list') {
      const command = { type: 'ArrangeAge', age: arrangement.age } as const;
      await sanctions.handle(this.runtime, 'all', THE_LIST, command, origin);
      return;
    }
    const { kind, value, action } = arrangement;
    if (kind === 'wallet' && action !== 'block') {
      const command = {
        type: 'ArrangeWallet',
        wallet: value,
        sanctioned: action === 'sanction',
      } as const;
      await sanctions.handle(this.runtime, 'all', THE_LIST, command, origin);
    }
    if (action !== 'sanction') await this.list(kind, value, action === 'block', origin);
  }

  private async list(
    kind: ListKind,
    value: string,
    blocked: boolean,
    origin: CommandOrigin,
  ): Promise<void> {
    const { runtime } = this;
    const id = entryIdOf(runtime, kind, value);
    const reason = 'a test helper';
    if (blocked) {
      const entry = await newEntry(runtime, { kind, value, note: null });
      const from = { ...origin, subject_ids: [entry.subject_id] };
      await blockEntry.handle(runtime, 'all', id, { type: 'AddEntry', entry, reason }, from);
    } else if ((await blockEntry.load(runtime, 'all', id))?.status === 'listed') {
      const at = isoTime(runtime.clock.now());
      await blockEntry.handle(runtime, 'all', id, { type: 'RemoveEntry', reason, at }, origin);
    }
  }

  private originOf({ command_id, correlation_id }: Asked): CommandOrigin {
    return {
      command_id: command_id ?? this.runtime.random.uuid(),
      ...{ body_hash: null, merchant_id: null, actor: 'system:fraud.arrange-screening' },
      ...{ correlation_id, causation_id: null },
    };
  }
}
