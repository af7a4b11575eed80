import type { Type } from '@nestjs/common';
import type { HostedContext } from './hosted-context';
import { REACTS_METADATA } from './reacts';
import { ROUTE_METADATA } from './serves';

/** A consumer of a context, and the types of public events that it hears. */
export interface DeclaredConsumer {
  readonly consumer: string;
  readonly types: readonly string[];
}

/** What the reactors of a context hear, as their `@Reacts` says it. */
export const consumersOf = ({ module }: Pick<HostedContext, 'module'>) =>
  declaredIn<DeclaredConsumer>(module, REACTS_METADATA);

/** The routes that a context serves, by their ids, as its `@Serves` say it. */
export const routesServedBy = ({ module }: Pick<HostedContext, 'module'>) =>
  declaredIn<{ readonly id: string }>(module, ROUTE_METADATA).map(({ id }) => id);

/** What the decorators of a module's controllers have kept under that name. */
function declaredIn<Declared>(module: Type, metadata: string): readonly Declared[] {
  const controllers = (Reflect.getMetadata('controllers', module) ?? []) as readonly Type[];
  return controllers.flatMap(({ prototype }) =>
    Object.values(Object.getOwnPropertyDescriptors(prototype as object)).flatMap(({ value }) => {
      if (typeof value !== 'function') return [];
      const declared = Reflect.getMetadata(metadata, value) as Declared | undefined;
      return declared === undefined ? [] : [declared];
    }),
  );
}
