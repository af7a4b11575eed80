import { IsName, newId, prefixedIds, route, uuidIds, type RequestContext, type Route } from '@tender/contracts';
import type { Mode } from '@tender/kernel';
import { EdgeStage, SAME_REQUEST, type EdgeStageOptions } from './edge-stage';

const planIds = prefixedIds('plan', 'first id');
const own = {
  context: 'payments',
  limit: 'other',
  idempotent: false,
  answers: { 200: null },
  refusals: [],
  summary: 'A route of this spec',
  tag: 'Plans',
} as const;
class PlanName {
  @IsName(100) name!: string;
}
const PLAN = '/api/v1/made_up_plans/{id}';
export const renamePlan = route({
  ...own,
  id: 'renamePlan',
  method: 'PATCH',
  path: PLAN,
  auth: 'key',
  objects: { id: planIds },
  body: PlanName,
});
export const readMe = route({ ...own, id: 'readMe', method: 'GET', path: '/api/v1/me', auth: 'session' });
export const setMeUp = route({ ...own, id: 'setMeUp', method: 'POST', path: '/api/v1/me/setup', auth: 'setup' });
export const renameMe = route({ ...own, id: 'renameMe', method: 'PATCH', path: '/api/v1/me', auth: 'session' });
export const subscribe = route({
  ...own,
  id: 'subscribe',
  method: 'POST',
  path: `${PLAN}/subscribe`,
  auth: 'key_or_nobody',
  idempotent: true,
  objects: { id: planIds },
});
export const readEntry = route({
  ...own,
  id: 'readEntry',
  method: 'GET',
  path: `${PLAN}/entries/{entry_id}`,
  auth: 'public',
  limit: 'public',
  objects: { id: planIds, entry_id: uuidIds },
});
export const noteEntry = route({
  ...own,
  id: 'noteEntry',
  method: 'POST',
  path: `${PLAN}/entries/{entry_id}`,
  auth: 'public',
  limit: 'public',
  objects: { id: planIds, entry_id: uuidIds },
});
/** An event stream. */
export const listen = route({
  ...own,
  id: 'listen',
  method: 'GET',
  path: '/api/v1/listen',
  auth: 'key',
  limit: 'read',
  stream: true,
});
export const routes: readonly Route[] = [
  ...[renamePlan, readMe, renameMe, setMeUp],
  ...[subscribe, readEntry, noteEntry],
];

const bytes = Buffer.alloc(16, 7);
export const plan = (mode: Mode) => newId(planIds, mode, bytes);
export const entry = (mode: Mode) => newId(uuidIds, mode, bytes);

/** An edge with routes of every kind of caller. */
export class RouteStage {
  edge!: EdgeStage;

  /** Another edge in place of the one before. */
  begin(options: EdgeStageOptions = {}): void {
    this.edge = new EdgeStage({ routes, ...options });
  }

  /** How many requests reached a handler meanwhile. */
  async callsDuring(work: () => Promise<unknown>): Promise<number> {
    const before = this.edge.calls;
    await work();
    return this.edge.calls - before;
  }

  async send({ method, path }: Route, headers: object = {}, ids: object = {}) {
    const values = { id: 'x', ...ids } as Record<string, string>;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x');
    const answer = await this.edge.server.inject({
      ...{ method, url },
      headers: { ...SAME_REQUEST, ...headers },
    });
    const { statusCode: status, headers: sent, body: text } = answer;
    const json = JSON.parse(text) as { code?: string; error?: string; caller: RequestContext };
    return { status, headers: sent, text, json };
  }

  async status(...sent: Parameters<RouteStage['send']>): Promise<number> {
    return (await this.send(...sent)).status;
  }
}
