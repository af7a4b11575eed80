import type { Runtime } from '@tender/eventing';
import { contextOf, nextMailDue, type MailTable } from './queued-mail.record';

/** Measures at each scrape how long mails wait although they are due. The function that it returns ends it. */
export const watchMails = (
  { readModels, clock, telemetry }: Pick<Runtime, 'readModels' | 'clock' | 'telemetry'>,
  table: MailTable,
): (() => void) => {
  const context = contextOf(table);
  return telemetry.watch('tender_mail_oldest_due_seconds', async () => {
    const due = await nextMailDue(readModels, table, clock.wall());
    const late_ms = due === null ? 0 : Math.max(0, clock.now() - due);
    return [{ value: late_ms / 1000, labels: { context } }];
  });
};
