import {
  allRoutes,
  asyncApiDocument,
  exampleOf,
  openApiDocument,
  type JsonSchema,
} from '@tender/contracts';
import { messageExamples } from './message-examples';

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Partial<Json> };
  readonly responses: Readonly<Record<string, { readonly content?: Json }>>;
}
interface Json {
  readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown };
}
interface AsyncApi {
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly payload: JsonSchema }>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

/** Every file of `contracts/`, by its path in there. */
export function contractFiles(): ReadonlyMap<string, string> {
  const openApi = openApiDocument(allRoutes, '/') as OpenApi;
  const asyncApi = asyncApiDocument() as AsyncApi;
  const { messages, schemas } = asyncApi.components;
  return new Map([
    ['openapi.json', textOf(openApi)],
    ['asyncapi.json', textOf(asyncApi)],
    ['examples/operations.json', textOf(operationExamples(openApi))],
    ['examples/messages.json', textOf(messageExamples(messages, schemas))],
  ]);
}

const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A request and a success of each operation. */
function operationExamples({ paths, components }: OpenApi): object {
  const operations = Object.values(paths).flatMap((byMethod) => Object.values(byMethod));
  return Object.fromEntries(
    operations.map(({ operationId, requestBody, responses }) => {
      const [status = '200', success] =
        Object.entries(responses).find(([one]) => /^[23]/.test(one)) ?? [];
      const example = (content: Json | undefined) =>
        content?.['application/json']
          ? exampleOf(content['application/json'].schema, components.schemas)
          : undefined;
      return [
        operationId,
        {
          request: requestBody?.content['application/json']?.example,
          status: Number(status),
          answer: example(success?.content),
        },
      ];
    }),
  );
}
