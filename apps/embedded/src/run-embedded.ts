import 'reflect-metadata';
import { banner, demoLink, demoMerchant, demoTrial, type Trial } from '@tender/demo';
import { jsonLog, keepForLauncher, runUntilStopped } from '@tender/runtime';
import { readSettings } from './settings';
import { startEmbedded, type StartOptions } from './start-embedded';

/** Runs the program until a signal stops it. Says on standard error why it cannot, and what to do. */
export async function runEmbedded(options: Omit<StartOptions, 'keep'> = {}): Promise<void> {
  const began = performance.now();
  let trial = async (): Promise<Trial | null> => null;
  await runUntilStopped(
    'Tender',
    async (end) => {
      const settings = readSettings(process.env);
      const own = { keep: keepForLauncher(end), trial: () => trial(), ...options };
      return { settings, ...(await startEmbedded(settings, own)) };
    },
    async ({ settings, url, local_rpc_urls, connection_string, metrics_ports }) => {
      const { data_dir, admin_token } = settings;
      const demo = settings.test_helpers ? await demoMerchant(data_dir, url, admin_token) : null;
      const shown = demo && { ...demo, link_url: await demoLink(data_dir, url) };
      // Where only those may sign up who know a token, the reference shows no key.
      if (demo && !settings.signup_token) {
        const log = jsonLog({ level: settings.log_level });
        trial = demoTrial(
          { url, api_key: demo.api_key, merchant_id: demo.merchant_id },
          {
            now: () => performance.now(),
            failed: (err) => log.warn({ err }, 'the reference has examples that may not succeed as they stand'),
          },
        );
      }
      const ready_ms = performance.now() - began;
      process.stdout.write(banner(url, shown, { data_dir, local_rpc_urls, ready_ms }));
      process.send?.({
        type: 'ready',
        url,
        admin_token,
        demo: demo && { api_key: demo.api_key, merchant_id: demo.merchant_id },
        postgres: { connection_string },
        metrics_ports,
      });
    },
  );
}
