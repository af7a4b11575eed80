import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { RequestContext, Route } from '@tender/contracts';
import type { Position } from '@tender/eventing';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gateway for every admitted request. */
    tender: RequestContext;
  }
}

export const ROUTE_METADATA = 'tender:route';

/** `/payments/{id}` in a contract is `/payments/:id` to the router. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Binds a handler to its route value: method, path and the first success status. */
export function Serves(route: Route): MethodDecorator {
  const status = Math.min(...Object.keys(route.answers).map(Number));
  return applyDecorators(
    RequestMapping({ path: routerPath(route.path), method: RequestMethod[route.method] }),
    HttpCode(status),
    SetMetadata(ROUTE_METADATA, route),
  );
}

/** The admitted caller: `create(@Caller() caller: RequestContext)`. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext =>
    context.switchToHttp().getRequest<FastifyRequest>().tender,
);

/** Never reaches a client: the gateway keeps it for the caller's next read (P4). */
export const POSITION_HEADER = 'x-tender-position';

/** Tells the gateway how far a write went, and the client when it had been made before (specification §1.8). */
export function tellPosition(
  reply: FastifyReply,
  { position, repeated }: { readonly position: Position | null; readonly repeated: boolean },
): void {
  if (position !== null) void reply.header(POSITION_HEADER, position);
  if (repeated) void reply.header('Idempotency-Replayed', 'true');
}
