import { aggregate, type Runtime } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { endpointDecider } from '@tender/webhook-dispatcher-domain';
import { newSecret, sealSecret } from '../sign-delivery/webhook-secret';

/** Where the sender posts a merchant's webhooks of one mode: its id is the merchant's. */
export const endpoint = aggregate({
  noun: 'endpoint',
  modes: MODES,
  decider: endpointDecider,
  begins: ['OpenEndpoint'],
});

/** The sealed secret that a command brings, should it need a new one. `at`: business time, ms. */
export function secretFor(
  { keyRing }: Pick<Runtime, 'keyRing'>,
  mode: Mode,
  merchant_id: string,
  { command_id, at }: { readonly command_id: string; readonly at: number },
): string {
  return sealSecret(keyRing, mode, merchant_id, newSecret(keyRing, mode, command_id, at));
}
