import { modeOf, oneNameOf, type Route } from '@tender/contracts';
import type { Mode } from '@tender/kernel';
import type { FastifyRequest } from 'fastify';
import { merchantOf, type Identity } from './credentials';

/** An object that a path names, before the gateway knows whether there is one. */
export interface NamedObject {
  /** The same for all of its names. */
  readonly id: string;
  /** What the id says; null when it says none. */
  readonly mode: Mode | null;
}

const NONE: readonly NamedObject[] = [];

/** In the order in which the route names them. */
export function namedObjects(
  request: Pick<FastifyRequest, 'params'>,
  { objects }: Pick<Route, 'objects'>,
): readonly NamedObject[] {
  if (!objects) return NONE;
  const values = request.params as Readonly<Record<string, string>>;
  return Object.entries(objects).map(([parameter, kind]) => {
    const name = values[parameter] ?? '';
    return { id: oneNameOf(kind, name), mode: modeOf(kind, name) };
  });
}

/** The object that a body names, before the body was validated; null where the route asks for none. */
export function objectInBody(body: unknown, { body_object }: Pick<Route, 'body_object'>): NamedObject | null {
  if (!body_object) return null;
  const id = ((body ?? {}) as Readonly<Record<string, unknown>>)[body_object.field];
  const mode = typeof id === 'string' ? modeOf(body_object.kind, id) : null;
  return mode === null ? { id: '', mode } : { id: id as string, mode };
}

/**
 * A key has a mode, and a session names one. Without either it is the objects’; a page that names none says `test`
 * (specification §1.12).
 */
export function modeOfRequest(identity: Identity, objects: readonly NamedObject[]): Mode {
  return merchantOf(identity)?.mode ?? objects[0]?.mode ?? 'test';
}

/**
 * False when an id says that its object is of another mode: no service needs to be asked then. With a key, an id that
 * says none is looked up in the key’s mode, since ids of the first release do not, and an operator’s route looks
 * in both; for a stranger it does not exist. Where no key is asked for, one that comes along is not looked at, but what
 * it changes is of its mode (`mode_of_key`): a test key pays no live link.
 */
export function mayExist(
  identity: Identity,
  mode: Mode,
  objects: readonly NamedObject[],
  mode_of_key: Mode | null,
): boolean {
  return objects.every((object) =>
    object.mode === null
      ? identity.kind !== 'anyone'
      : object.mode === mode && object.mode === (mode_of_key ?? mode),
  );
}
