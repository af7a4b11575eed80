import { projectionFollower, type Position, type ReadModels, type StreamMode } from '@tender/eventing';
import { endpoints } from './endpoints.projection';

export const SCHEMA = 'webhook_dispatcher';
const WAIT_MS_MAX = 2000;

/** Waits until planner and sender see the endpoint as it is at `position`. */
export async function endpointsShown(
  readModels: ReadModels,
  mode: StreamMode,
  position: Position,
): Promise<void> {
  const follower = projectionFollower(endpoints.name, mode);
  await readModels.waitFor(SCHEMA, follower, position, WAIT_MS_MAX);
}
