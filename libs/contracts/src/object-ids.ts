import { bytesOfIdCharacters, idCharacters, modeOfUuid, uuidOf, type Mode } from '@tender/kernel';

/**
 * Since when the ids of a kind say the mode of their object. Ids never change: those of the first release that
 * do not say it, `rcpt_` and 22 characters, are still found by merchant and mode.
 */
export type ModeSince = 'first id' | 'second release';

/** `<prefix>_<mode>_` and 22 base62 characters: `pay_test_…`. */
export interface PrefixedIds<Since extends ModeSince = ModeSince> {
  readonly form: 'prefixed';
  readonly prefix: string;
  readonly mode_since: Since;
}

/** How the ids of one kind of object look, and since when they say its mode. */
export type IdKind =
  | PrefixedIds
  /** Version 8; the last bit is 0 in test and 1 in live. */
  | { readonly form: 'uuid'; readonly mode_since: 'first id' }
  /** In links that people pass on: `t` or `l`, and 22 base62 characters. */
  | { readonly form: 'code'; readonly mode_since: 'first id' }
  | CodeOrUuid;

/** In paths where one object is named by its code or by its UUID. No new id is of this kind. */
export interface CodeOrUuid {
  readonly form: 'code or uuid';
  readonly mode_since: 'first id';
}

export const prefixedIds = <Since extends ModeSince>(
  prefix: string,
  mode_since: Since,
): PrefixedIds<Since> => ({ form: 'prefixed', prefix, mode_since });

export const uuidIds: Exclude<IdKind, CodeOrUuid> = { form: 'uuid', mode_since: 'first id' };
export const codeIds: Exclude<IdKind, CodeOrUuid> = { form: 'code', mode_since: 'first id' };
export const codeOrUuid: CodeOrUuid = { form: 'code or uuid', mode_since: 'first id' };

const WITH_MODE = /^([a-z]+)_(test|live)_([0-9A-Za-z]{22})$/;
const CODE = /^[tl][0-9A-Za-z]{22}$/;

/**
 * The mode of the object that has this id. Nothing else reads a mode from an id. Null when the id says none: it is
 * of another kind, malformed, or from before its kind said the mode. Null never means `test`.
 */
export function modeOf(kind: IdKind, id: string): Mode | null {
  switch (kind.form) {
    case 'prefixed': {
      const [, prefix, mode] = WITH_MODE.exec(id) ?? [];
      return prefix === kind.prefix ? (mode as Mode) : null;
    }
    case 'uuid':
      return modeOfUuid(id);
    case 'code':
      return CODE.test(id) ? (id.startsWith('l') ? 'live' : 'test') : null;
    case 'code or uuid':
      return modeOf(codeIds, id) ?? modeOf(uuidIds, id);
  }
}

/** The UUID of the object that has this code; null where the text is none. */
export function uuidOfCode(code: string): string | null {
  const mode = modeOf(codeIds, code);
  const bytes = mode && bytesOfIdCharacters(code.slice(1));
  return bytes && uuidOf(bytes, mode);
}

/** One text for each object, by whichever of its names a path names it. */
export function oneNameOf(kind: IdKind, id: string): string {
  const { form } = kind;
  if (form === 'code or uuid') return uuidOfCode(id) ?? id.toLowerCase();
  return (form === 'code' ? uuidOfCode(id) : null) ?? id;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const CHARACTERS = '[0-9A-Za-z]{22}';

/** How an id of this kind looks, those of the first release included, for documents and those who read them. */
export function idPatternOf(kind: IdKind): string {
  switch (kind.form) {
    case 'prefixed': {
      const mode = kind.mode_since === 'first id' ? '(test|live)_' : '((test|live)_)?';
      return `^${kind.prefix}_${mode}${CHARACTERS}$`;
    }
    case 'uuid':
      return `^${UUID}$`;
    case 'code':
      return `^[tl]${CHARACTERS}$`;
    case 'code or uuid':
      return `^([tl]${CHARACTERS}|${UUID})$`;
  }
}

/** The id of a new object, from 16 bytes or more that nobody can guess. The same bytes give the same id. */
export function newId(kind: Exclude<IdKind, CodeOrUuid>, mode: Mode, bytes: Uint8Array): string {
  switch (kind.form) {
    case 'prefixed':
      return `${kind.prefix}_${mode}_${idCharacters(bytes)}`;
    case 'uuid':
      return uuidOf(bytes, mode);
    case 'code':
      return mode.charAt(0) + idCharacters(bytes);
  }
}

/**
 * The id that the same object had before its kind said the mode; an id of that time is its own. Where an id
 * derives from what must happen once, an upgrade changes how the id looks, not which object it names.
 */
export function formerId({ prefix }: PrefixedIds<'second release'>, id: string): string {
  const parts = WITH_MODE.exec(id);
  return parts?.[1] === prefix ? `${prefix}_${parts[3]}` : id;
}
