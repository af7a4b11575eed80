import type { StreamMode } from '@tender/eventing';
import { announcement } from './announcement';

/**
 * Payments or merchants may have been written to the records by the process that led before, a moment ago:
 * whoever keeps them in memory listens here.
 */
export const recordsTakenOver = announcement<[mode: StreamMode]>();
