import type { Decimal } from '@tender/kernel';
import { inexactlyHeld } from './inexactly-held';

/** Containers inside containers; no payment is deeper (specification §1.5). */
const DEPTH_MAX = 32;

/** What is only wrong if the field is one that we read: the caller of the parser knows the fields. */
export interface Note {
  /** The field of the root object that it is in. */
  readonly field: string;
  readonly kind: 'inexact_number' | 'control_character';
  /** The number as it was written; null where it has more digits than a client writes. */
  readonly written?: Decimal | null;
}

export interface ParsedJson {
  readonly value: unknown;
  readonly notes: readonly Note[];
}

/** Not JSON, or JSON that we refuse whatever the route. `message` follows "The body". */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t',
};

/**
 * RFC 8259 to the letter, and what `JSON.parse` lets through: duplicate keys, numbers that a double cannot
 * hold, keys that reach prototypes, strings that no database stores (specification §1.5, §1.6). Bytes that are
 * not UTF-8 and byte order marks are refused.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new JsonFault('is not valid UTF-8');
  }
  return new Scanner(text).run();
}

class Scanner {
  private at = 0;
  private field = '';
  private readonly notes: Note[] = [];

  constructor(private readonly text: string) {}

  run(): ParsedJson {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) throw this.fault('has something after the JSON value');
    return { value, notes: this.notes };
  }

  private fault(what: string): JsonFault {
    return new JsonFault(`${what} (character ${this.at + 1})`);
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  private value(depth: number): unknown {
    this.space();
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth + 1);
      case '[':
        return this.array(depth + 1);
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  private object(depth: number): object {
    const made: Record<string, unknown> = {};
    this.enter(depth);
    if (this.text[this.at] === '}') return this.leave(made);
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') throw this.fault('is not valid JSON: a key was expected');
      const noted = this.notes.length;
      const key = this.string();
      if (depth === 1) {
        this.field = key;
        // What was noted in the key itself was noted under the field before it.
        if (this.notes.splice(noted).length > 0) {
          this.notes.push({ field: escaped(key), kind: 'control_character' });
        }
      }
      this.checkKey(key, depth, made);
      this.space();
      if (this.text[this.at] !== ':') throw this.fault('is not valid JSON: ":" was expected');
      this.at += 1;
      made[key] = this.value(depth);
      this.space();
      const next = this.text[this.at];
      if (next === '}') return this.leave(made);
      if (next !== ',') throw this.fault('is not valid JSON: "," or "}" was expected');
      this.at += 1;
    }
  }

  private checkKey(key: string, depth: number, made: object): void {
    if (Object.hasOwn(made, key)) throw this.fault(`holds the key ${JSON.stringify(key)} twice`);
    const reaches_prototype =
      key === '__proto__' ||
      ((key === 'constructor' || key === 'prototype') &&
        !(depth > 1 && this.field === 'metadata'));
    if (reaches_prototype) throw this.fault(`holds the key "${key}", which is not allowed`);
  }

  private array(depth: number): unknown[] {
    const made: unknown[] = [];
    this.enter(depth);
    if (this.text[this.at] === ']') return this.leave(made);
    for (;;) {
      made.push(this.value(depth));
      this.space();
      const next = this.text[this.at];
      if (next === ']') return this.leave(made);
      if (next !== ',') throw this.fault('is not valid JSON: "," or "]" was expected');
      this.at += 1;
    }
  }

  private enter(depth: number): void {
    if (depth > DEPTH_MAX) throw this.fault(`is nested more than ${DEPTH_MAX} levels deep`);
    this.at += 1;
    this.space();
  }

  private leave<Container>(made: Container): Container {
    this.at += 1;
    return made;
  }

  private word<Value>(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.at)) throw this.fault('is not valid JSON');
    this.at += word.length;
    return value;
  }

  private number(): number {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (!match) throw this.fault('is not valid JSON: a value was expected');
    const [digits] = match;
    this.at += digits.length;
    const value = Number(digits);
    if (!Number.isFinite(value)) throw this.fault('holds a number that is too large');
    const written = inexactlyHeld(digits, value);
    if (written !== undefined) {
      this.notes.push({ field: this.field, kind: 'inexact_number', written });
    }
    return value;
  }

  private note(kind: 'control_character'): void {
    this.notes.push({ field: this.field, kind });
  }

  private string(): string {
    this.at += 1;
    const start = this.at;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) {
        this.at += 1;
        return this.text.slice(start, this.at - 1);
      }
      if (code === 0x5c) return this.stringWithEscapes(this.text.slice(start, this.at));
      this.checkRaw(code);
      this.at += 1;
    }
  }

  private stringWithEscapes(before: string): string {
    let made = before;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) break;
      if (code === 0x5c) made += this.escape();
      else {
        this.checkRaw(code);
        made += this.text[this.at];
        this.at += 1;
      }
    }
    this.at += 1;
    if (!made.isWellFormed()) throw this.fault('holds half of a surrogate pair in a string');
    return made;
  }

  /** Of a character that stands for itself. */
  private checkRaw(code: number): void {
    if (code >= 0x20 && (code < 0x7f || code > 0x9f)) return;
    if (Number.isNaN(code)) throw this.fault('ends inside a string');
    if (code < 0x20) throw this.fault('is not valid JSON: a raw control character in a string');
    this.note('control_character');
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? '';
    const plain = ESCAPES[letter];
    if (plain !== undefined) {
      this.at += 2;
      if (plain < ' ') this.note('control_character');
      return plain;
    }
    const hex = this.text.slice(this.at + 2, this.at + 6);
    if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) {
      throw this.fault('is not valid JSON: an unknown escape in a string');
    }
    this.at += 6;
    const code = Number.parseInt(hex, 16);
    if (code === 0) throw this.fault('holds a NUL character in a string');
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) this.note('control_character');
    return String.fromCharCode(code);
  }
}

/** A key as it may be shown: control characters as JSON escapes. */
const escaped = (key: string): string =>
  key.replaceAll(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
