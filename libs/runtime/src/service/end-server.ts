import type { Server } from 'node:http';

/** Milliseconds that clients have for reading their answers; a supervisor waits longer before it kills. */
const DRAIN_MS = 10_000;

/** What is ended: a Nest application. */
export interface Serving {
  getHttpServer(): Pick<Server, 'closeAllConnections'>;
  close(): Promise<unknown>;
}

/** Takes no more requests and waits for the answers; a client that does not read its own is cut off at last. */
export async function endServer(serving: Serving, drain_ms = DRAIN_MS): Promise<void> {
  const cut = setTimeout(() => serving.getHttpServer().closeAllConnections(), drain_ms);
  try {
    await serving.close();
  } finally {
    clearTimeout(cut);
  }
}
