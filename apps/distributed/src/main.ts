import { banner, demoLink, demoMerchant } from '@tender/demo';
import { keepForLauncher, runUntilStopped } from '@tender/runtime';
import { obeyParent } from './part';
import { processList } from './process-list';
import { readDistributedSettings } from './settings';
import { startParts } from './start-parts';
import { startServices } from './start-services';

/** `npm run distributed`: every service in a process of its own, and what they need, without containers. */
async function startDistributed(end: () => void) {
  const settings = readDistributedSettings(process.env);
  const keep = keepForLauncher(end);
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const parts = await startParts(settings, closers, keep);
    const services = await startServices(settings, parts, closers, keep);
    const [signers] = await Promise.all([parts.signers, parts.fee_wallets_funded]);
    return { settings, parts, services, signers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const began = performance.now();
void runUntilStopped('Tender', startDistributed, async ({ settings, parts, services, signers }) => {
  const { urls, admin_token, metrics_ports } = services;
  const [url = ''] = urls;
  const { data_dir } = settings;
  const demo = await demoMerchant(data_dir, url, admin_token);
  const shown = { ...demo, link_url: await demoLink(data_dir, url) };
  const { rpc_urls, database_url } = parts;
  const ready_ms = performance.now() - began;
  process.stdout.write(banner(url, shown, { data_dir, local_rpc_urls: rpc_urls, ready_ms }));
  const processes = [...services.processes, ...signers, ...parts.processes];
  process.stdout.write(processList(processes));
  obeyParent(parts.controlled);
  process.send?.({
    type: 'ready',
    url,
    urls,
    admin_token,
    demo: { api_key: demo.api_key, merchant_id: demo.merchant_id },
    postgres: { connection_string: database_url },
    kafka: { brokers: parts.brokers },
    eventstore: parts.eventstore_url && { connection_string: parts.eventstore_url },
    metrics_ports,
    processes: processes.map(({ name, pid }) => ({ name, pid })),
  });
});
