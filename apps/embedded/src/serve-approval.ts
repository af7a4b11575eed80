import type { AddressInfo } from 'node:net';
import { approvalServer } from '@tender/approval-features';
import type { Closer } from '@tender/runtime';
import type { Settings } from './settings';

/**
 * Serves the pages on which signing passkeys are used, on a port of their own: another origin than the API’s. Answers
 * with the origin as browsers name it: none makes a passkey for an IP address, so it is `localhost` unless it was set.
 */
export async function serveApproval(
  { host, approval_port, approval_url }: Settings,
  api_url: () => string,
  closers: Closer[],
): Promise<string> {
  const server = approvalServer({ api_url });
  await server.listen({ host, port: approval_port });
  closers.push(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return approval_url ?? `http://localhost:${port}`;
}
