import { createServer, type Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Ledger } from '../ledger/ledger';
import type { ChainNode } from '../rpc/chain-node';
import { Faults } from '../rpc/faults';
import { rpcServer } from './http';
import { listenOnPair, type Place } from './port-pair';
import { report } from './report';
import { Subscriptions } from './subscriptions';
import { serveSocket } from './websocket';

/** A longer frame ends its socket. */
export const MESSAGE_BYTES_MAX = 64 * 1024;

export interface ChainServer {
  readonly port: number;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  close(): Promise<void>;
}

/** Serves a ledger: HTTP and websocket on one port, websocket also on the next. */
export async function serveChain(
  ledger: Ledger,
  place: Place & { readonly publicHost: string },
): Promise<ChainServer> {
  const sockets = new Set<WebSocket>();
  const node: ChainNode = {
    ledger,
    faults: new Faults(),
    requests: new Map(),
    openWebsockets: () => sockets.size,
    dropWebsockets: () => {
      for (const socket of sockets) socket.terminate();
      return sockets.size;
    },
  };
  const subscriptions = new Subscriptions(node);
  const http = rpcServer(node);
  const websocket = createServer((_, response) => response.writeHead(426).end());
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX });
  for (const server of [http, websocket]) {
    server.on('upgrade', (request, socket, head) => {
      upgrades.handleUpgrade(request, socket, head, (opened) => {
        sockets.add(opened);
        opened.on('close', () => sockets.delete(opened));
        serveSocket(node, subscriptions, opened);
      });
    });
  }
  const port = await listenOnPair(http, websocket, place);
  // Of one that listens: a connection could not be taken in, for example for want of file handles.
  for (const server of [http, websocket]) {
    server.on('error', (error) => report('a connection was not taken in', error));
  }
  return {
    port,
    rpcUrl: `http://${place.publicHost}:${port}`,
    wsUrl: `ws://${place.publicHost}:${port + 1}`,
    close: async () => {
      subscriptions.close();
      node.dropWebsockets();
      await Promise.all([closeServer(http), closeServer(websocket)]);
    },
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
