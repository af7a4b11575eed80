import { approvalServer } from '@tender/approval-features';
import { runUntilStopped } from '@tender/runtime/program';
import { readApprovalSettings } from './settings';

async function start() {
  const { host, port, public_url } = readApprovalSettings(process.env);
  const server = approvalServer({ api_url: () => public_url });
  const url = await server.listen({ host, port });
  return { url, stop: () => server.close() };
}

if (require.main === module) {
  void runUntilStopped('approval', start, async ({ url }) => {
    process.send?.({ type: 'ready', url, metrics_port: null });
  });
}
