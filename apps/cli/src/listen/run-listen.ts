import { CommandFault } from '../faults';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { DeliveryServer, type Received } from './delivery-server';
import { ARRIVED, forward } from './forward';
import type { Listen } from './listen-arguments';
import { readAddress, readKey } from './listen-settings';
import { MerchantApi } from './merchant-api';
import { linesOf, shownDelivery } from './show-delivery';

/** `tender listen`: is a merchant's webhook endpoint until it is interrupted. */
export async function runListen(
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  { url, key, forward_to, verbose, json }: Listen,
): Promise<void> {
  const reader = json ? { ...terminal, is_terminal: false } : terminal;
  const api = new MerchantApi(url ?? readAddress(env), readKey(env, key));
  const interrupted = new Promise<void>((resolve) => terminal.onInterrupt(resolve));

  let deliveries = 0;
  const show = (received: Received, secret: string): void => {
    deliveries += 1;
    const shown = shownDelivery(received, secret, Date.now());
    if (!reader.is_terminal) return reader.say(JSON.stringify(shown));
    for (const line of linesOf(shown, { forwards: forward_to !== null, verbose })) reader.say(line);
  };
  const server = await DeliveryServer.start(
    async (delivery) => (forward_to === null ? ARRIVED : forward(forward_to, delivery)),
    // The first may come before the answer with the secret.
    (received) => void registered.then((secret) => show(received, secret), () => undefined),
  );
  const registered = api.sendWebhooksTo(server.url);
  let webhooks: 'off' | 'elsewhere';
  try {
    const webhook_secret = await registered;
    tell(reader, { line: 'listen', phase: 'listening', url: server.url, webhook_secret, forward_to }, [
      'Webhooks of this merchant’s test mode come here, in place of any URL that was set.',
      `They are signed with ${webhook_secret}`,
      ...(forward_to === null ? [] : [`and passed on to ${forward_to}`]),
      'Next: create a payment, or send a test event (POST /api/v1/merchants/me/webhook/test). Ctrl-C ends it.',
    ]);
    await interrupted;
    webhooks = await giveUp(api, server).catch((error: Error) => {
      throw new CommandFault(
        `${error.message} Webhooks may still go to ${server.url}, where nothing listens: run this again and end it.`,
      );
    });
  } finally {
    await server.stop();
  }
  tell(reader, { line: 'listen', phase: 'ended', deliveries, webhooks }, [
    webhooks === 'off'
      ? `Webhooks are off; ${deliveries} came.`
      : `Webhooks go to another URL by now, which stays as it is; ${deliveries} came here.`,
    'Next: name your own URL with PUT /api/v1/merchants/me/webhook; docs/verify-webhooks.md shows how to check what comes there.',
  ]);
}

/**
 * Turns webhooks off if they still come here. Another URL, which was set meanwhile, is not this command's to take away:
 * a test event tells which of the two it is.
 */
async function giveUp(api: MerchantApi, server: DeliveryServer): Promise<'off' | 'elsewhere'> {
  const hasCome = server.awaitTest();
  const is_set = await api.sendTestEvent();
  if (!hasCome()) return is_set ? 'elsewhere' : 'off';
  await api.turnWebhooksOff();
  return 'off';
}
