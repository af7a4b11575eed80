import { projectionFollower, type Position, type ReadModels, type StreamMode } from '@tender/eventing';
import { endpoints } from './endpoints.projection';

export const SCHEMA = 'webhook_dispatcher';
const WAIT_MS_MAX = 2000;

/** Waits until planner and sender see the endpoint as it is at `position`; false when that takes too long. */
export function endpointsShown(
  readModels: ReadModels,
  mode: StreamMode,
  position: Position,
): Promise<boolean> {
  const follower = projectionFollower(endpoints.name, mode);
  return readModels.waitFor(SCHEMA, follower, position, WAIT_MS_MAX);
}
