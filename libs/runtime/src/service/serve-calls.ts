import { realDelays } from '@tender/adapter-postgres';
import { mountService, serviceServerOptions, type ServiceOptions } from '@tender/http';
import { fastify } from 'fastify';
import type { DistributedRuntime, Standing } from '../distributed';
import { endServer } from './end-server';

type Answering = Pick<ServiceOptions, 'answerCall' | 'standsBy'>;
type Answerers = Pick<DistributedRuntime, 'local_calls'> & {
  readonly standing: Pick<Standing, 'leads'>;
};
type Ports = Answerers & Pick<DistributedRuntime, 'seal' | 'log' | 'telemetry'>;

/** How this process answers the questions of others: what only a leader may answer, only while it leads. */
export const answeringOf = ({ local_calls, standing }: Answerers): Answering => ({
  answerCall: (question, input, asked) => local_calls.answerTo(question, input, asked),
  standsBy: (question) => local_calls.answeredBy(question) === 'leader' && !standing.leads,
});

export interface CallsServer {
  readonly url: string;
  /** Takes no more questions and waits for the answers. */
  close(): Promise<void>;
}

/** Answers other processes on a port of its own, where the first one is for clients. */
export async function serveCalls(
  runtime: Ports,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<CallsServer> {
  const { seal, log, telemetry } = runtime;
  const server = fastify(serviceServerOptions());
  const ready = () => Promise.resolve(true);
  mountService(server, {
    ...{ routes: [], seal, log, telemetry, ready, delays: realDelays },
    ...answeringOf(runtime),
  });
  const url = await server.listen({ host, port });
  const serving = { getHttpServer: () => server.server, close: () => server.close() };
  return { url, close: () => endServer(serving) };
}
