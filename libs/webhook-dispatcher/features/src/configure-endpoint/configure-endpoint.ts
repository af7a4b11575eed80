import { commandHandler, streamName, type CommandOrigin, type Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import {
  endpointDecider,
  type Endpoint,
  type EndpointCommand,
  type EndpointEvent,
} from '@tender/webhook-dispatcher-domain';
import { newSecret, sealSecret } from '../sign-delivery/webhook-secret';

/** Runs one command on a merchant's endpoint of one mode. A new secret is in every command. */
export function handleEndpoint(
  runtime: Pick<Runtime, 'eventStore' | 'clock' | 'random' | 'keyRing'>,
) {
  const { eventStore: store, clock, random, keyRing } = runtime;
  const handle = commandHandler<Endpoint, EndpointCommand, EndpointEvent, never>({
    store,
    clock,
    random,
    decider: endpointDecider,
    begins: (command) => command.type === 'OpenEndpoint',
  });

  return function run(
    merchant: { readonly mode: Mode; readonly merchant_id: string },
    wish: { readonly type: EndpointCommand['type']; readonly url?: string | null },
    origin: CommandOrigin,
  ) {
    const { mode, merchant_id } = merchant;
    const at = clock.now();
    const fresh = newSecret(keyRing, mode, origin.command_id, at);
    const secret = sealSecret(keyRing, mode, merchant_id, fresh);
    const command: EndpointCommand =
      wish.type === 'ProvideSecret'
        ? { type: wish.type, secret }
        : { type: wish.type, url: wish.url ?? null, secret, at };
    return handle(streamName('endpoint', mode, merchant_id), command, origin);
  };
}
