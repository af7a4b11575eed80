import 'reflect-metadata';
import { banner, demoLink, demoMerchant, demoTrial, type Trial } from '@tender/demo';
import { runUntilStopped } from '@tender/runtime';
import { readSettings } from './settings';
import { startEmbedded, type StartOptions } from './start-embedded';

/** Runs the program until a signal stops it. Says on standard error why it cannot, and what to do. */
export async function runEmbedded(options: StartOptions = {}): Promise<void> {
  const began = performance.now();
  let trial = async (): Promise<Trial | null> => null;
  await runUntilStopped(
    'Tender',
    async () => {
      const settings = readSettings(process.env);
      const tell = (news: object) => void process.send?.(news);
      const own = { tell, trial: () => trial(), ...options };
      return { settings, ...(await startEmbedded(settings, own)) };
    },
    async ({ settings, url, local_rpc_urls, connection_string, metrics_port }) => {
      const { data_dir, admin_token } = settings;
      const demo = settings.test_helpers ? await demoMerchant(data_dir, url, admin_token) : null;
      const shown = demo && { ...demo, link_url: await demoLink(data_dir, url) };
      // Where only those may sign up who know a token, the reference shows no key.
      if (demo && !settings.signup_token) {
        trial = demoTrial({ url, api_key: demo.api_key });
      }
      const ready_ms = performance.now() - began;
      process.stdout.write(banner(url, shown, { data_dir, local_rpc_urls, ready_ms }));
      process.send?.({
        type: 'ready',
        url,
        admin_token,
        demo: demo && { api_key: demo.api_key, merchant_id: demo.merchant_id },
        postgres: { connection_string },
        metrics_ports: metrics_port === null ? [] : [metrics_port],
      });
    },
  );
}
