/** First attempts and retries wait in queues of their own, so that no first attempt waits for a retry. */
export const QUEUES = { first: 0, retry: 1 } as const;
/** As the column `lane` has it. */
export type Queue = (typeof QUEUES)[keyof typeof QUEUES];
export const ALL_QUEUES: readonly Queue[] = Object.values(QUEUES);
