import type { Asked, CommandOrigin, Runtime } from '@tender/eventing';

/** Of a command that payments has asked treasury for. */
export const askedOrigin = (
  { random }: Pick<Runtime, 'random'>,
  { command_id, correlation_id }: Asked,
  merchant_id: string,
): CommandOrigin => ({
  ...{ command_id: command_id ?? random.uuid(), body_hash: null, merchant_id },
  ...{ actor: 'system:payments', correlation_id, causation_id: null },
});
