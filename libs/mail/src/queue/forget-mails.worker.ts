import { ForgetOld, type Runtime } from '@tender/eventing';
import { contextOf, forgetMails, type MailTable } from './queued-mail.record';

/** What became of a mail is kept this long (business time), for those who look into a complaint. */
export const MAILS_KEPT_MS = 30 * 24 * 60 * 60_000;
/** One statement holds no lock for long. */
const ROWS_MAX = 1000;

/** Forgets the mails of a context’s queue to which nothing more happens. */
export class ForgetMails extends ForgetOld {
  readonly name: string;

  constructor(
    runtime: Pick<Runtime, 'readModels' | 'clock' | 'log'>,
    private readonly table: MailTable,
  ) {
    super(runtime);
    this.name = `${contextOf(table)}.forget-mails`;
  }

  protected async forget(now: number, signal: AbortSignal): Promise<void> {
    let forgotten = ROWS_MAX;
    while (forgotten === ROWS_MAX && !signal.aborted) {
      forgotten = await forgetMails(
        this.runtime.readModels,
        this.table,
        now - MAILS_KEPT_MS,
        ROWS_MAX,
      );
    }
  }
}
