import type { CommandOrigin, Runtime } from '@tender/eventing';

/** Of a command that treasury gives by itself. */
export const systemOrigin = (
  { random }: Pick<Runtime, 'random'>,
  command_id: string,
  merchant_id: string | null,
  actor = 'system:treasury',
): CommandOrigin => ({
  ...{ command_id, body_hash: null, merchant_id, actor },
  ...{ correlation_id: random.uuid(), causation_id: null },
});
