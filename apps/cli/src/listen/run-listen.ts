import { knownDemoKey } from '@tender/demo';
import { CommandFault } from '../faults';
import { readDataDir } from '../settings';
import { tell } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { DeliveryServer, type Received } from './delivery-server';
import { ARRIVED, forward } from './forward';
import type { Listen } from './listen-arguments';
import { MerchantApi } from './merchant-api';
import { linesOf, shownDelivery } from './show-delivery';

/** `tender listen`: is a merchant's webhook endpoint until it is interrupted. */
export async function runListen(
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  { url, key, forward_to, verbose, json }: Listen,
): Promise<void> {
  const reader = json ? { ...terminal, is_terminal: false } : terminal;
  const api = new MerchantApi(url ?? addressIn(env), key === null ? keyIn(env) : ofTestMode(key));
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
  try {
    const webhook_secret = await registered;
    tell(reader, { line: 'listen', phase: 'listening', url: server.url, webhook_secret, forward_to }, [
      'Webhooks of this merchant’s test mode come here, in place of any URL that was set.',
      `They are signed with ${webhook_secret}`,
      ...(forward_to === null ? [] : [`and passed on to ${forward_to}`]),
      'Next: create a payment, or send a test event (POST /api/v1/merchants/me/webhook/test). Ctrl-C ends it.',
    ]);
    await interrupted;
    await api.turnWebhooksOff().catch((error: Error) => {
      throw new CommandFault(
        `${error.message} Webhooks still go to ${server.url}, where nothing listens: run this again and end it.`,
      );
    });
  } finally {
    await server.stop();
  }
  tell(reader, { line: 'listen', phase: 'ended', deliveries }, [
    `Webhooks are off; ${deliveries} came.`,
    'Next: name your own URL with PUT /api/v1/merchants/me/webhook; docs/verify-webhooks.md shows how to check what comes there.',
  ]);
}

const addressIn = ({ TENDER_URL, PORT }: NodeJS.ProcessEnv): string =>
  TENDER_URL || `http://127.0.0.1:${PORT || 8080}`;

function keyIn(env: NodeJS.ProcessEnv): string {
  const data_dir = readDataDir(env);
  const key = env.TENDER_API_KEY || knownDemoKey(data_dir);
  if (key) return ofTestMode(key);
  throw new CommandFault(
    `There is no key: give --key or TENDER_API_KEY, or start the program on ${data_dir} (npm start), whose demo merchant has one.`,
  );
}

/** The webhook URL of live mode is where a shop hears of its money: nothing takes its place for a look. */
function ofTestMode(key: string): string {
  if (!key.startsWith('svc_live_')) return key;
  throw new CommandFault(
    'This is a live key: listening takes the place of the webhook URL, so it needs a test key (svc_test_…).',
  );
}
