import { Type } from 'class-transformer';
import { IsIn, IsString, ValidateNested } from 'class-validator';
import { route } from './route';

export class HealthAnswer {
  @IsIn(['ok']) status!: 'ok';
}

export class ReadinessChecks {
  /** `ok`, or why payments on this network are not seen at the moment. */
  @IsString() chain_test!: string;
  @IsString() chain_live!: string;
  /** `ok`, or why live payments are refused for the sake of the sanctions list. */
  @IsString() sanctions!: string;
}

export class ReadinessAnswer {
  @IsIn(['ok', 'degraded']) status!: 'ok' | 'degraded';
  @ValidateNested() @Type(() => ReadinessChecks) checks!: ReadinessChecks;
}

const open = {
  context: 'gateway',
  method: 'GET',
  auth: 'open',
  limit: 'none',
  idempotent: false,
  tag: 'Platform',
} as const;

export const readHome = route({
  ...open,
  id: 'readHome',
  path: '/',
  answers: { 200: null },
  refusals: [],
  summary: 'Where things are: a page of links for browsers, in JSON for others',
});

export const readHealth = route({
  ...open,
  id: 'readHealth',
  path: '/healthz',
  answers: { 200: HealthAnswer },
  refusals: [],
  summary: 'The process lives',
});

export const readReadiness = route({
  ...open,
  id: 'readReadiness',
  path: '/readyz',
  answers: { 200: ReadinessAnswer },
  refusals: [],
  summary: 'Requests are served; tells whether both chains are followed and the sanctions list is fresh',
});

export const readOpenApi = route({
  ...open,
  id: 'readOpenApi',
  path: '/openapi.json',
  answers: { 200: null },
  refusals: [],
  summary: 'The API, as OpenAPI 3.1',
});

export const readAsyncApi = route({
  ...open,
  id: 'readAsyncApi',
  path: '/asyncapi.json',
  answers: { 200: null },
  refusals: [],
  summary: 'Webhooks and topics, as AsyncAPI 3',
});

export const readReference = route({
  ...open,
  id: 'readReference',
  path: '/reference',
  answers: { 200: null },
  refusals: [],
  summary: 'The interactive reference',
});

export const readReferenceScript = route({
  ...open,
  id: 'readReferenceScript',
  path: '/reference/scalar.js',
  answers: { 200: null },
  refusals: [],
  summary: 'The script of the interactive reference',
});

export const platformRoutes = [
  readHome,
  readHealth,
  readReadiness,
  readOpenApi,
  readAsyncApi,
  readReference,
  readReferenceScript,
] as const;
