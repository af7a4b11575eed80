import type { StreamMode } from '@tender/eventing';
import { announcement } from '../announcement';

/**
 * How far the payments were heard, for whoever waits for it: every payment recorded before `wall_ms` is
 * watched or parked.
 */
export const watchPaymentsProgress = announcement<[mode: StreamMode, wall_ms: number]>();
