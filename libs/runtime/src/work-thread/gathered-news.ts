import type { Delays, StoredEvent } from '@tender/eventing';

const GATHER_MS = 5;

/** Commits that follow each other within `GATHER_MS` are told together, in their order: each message wakes a thread. */
export function gatheredNews(
  delays: Pick<Delays, 'after'>,
  tell: (events: readonly StoredEvent[]) => void,
): (events: readonly StoredEvent[]) => void {
  let gathered: StoredEvent[] | null = null;
  const tellOn = (): void => {
    const events = gathered ?? [];
    gathered = events.length > 0 ? [] : null;
    if (!gathered) return;
    delays.after(GATHER_MS, tellOn);
    tell(events);
  };
  return (events: readonly StoredEvent[]): void => {
    if (gathered) return void gathered.push(...events);
    gathered = [...events];
    tellOn();
  };
}
