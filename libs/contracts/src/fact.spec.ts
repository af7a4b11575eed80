import 'reflect-metadata';
import { IsOptional, IsString } from 'class-validator';
import { fact, gatherFacts, type ClassOf } from './fact';
import { OrNull, WebhookPlace } from './validation';

class Note {
  @WebhookPlace(2) @IsString() text!: string;
  @WebhookPlace(1) @IsString() id!: string;
  @OrNull() @IsString() author!: string | null;
  @IsOptional() @IsString() pinned?: string;
}
class Written {
  @IsString() merchant_id!: string;
  note!: Note;
}
class Other {
  @IsString() id!: string;
}
class Bare {
  id!: string;
}

const resource = ({ merchant_id, note }: Written) => ({
  resource_id: note.id,
  merchant_id,
  payment_id: null,
  webhook_url: null,
});
const written = fact('notes.note-written.v1', {
  data: Written,
  webhook: { name: 'NoteWritten', fills: { data: [Note, ({ note }) => note] }, resource },
});
const silent = fact('notes.note-read.v1', { data: Written });

test('a webhook shows the fields of its class, in their places, null where a record lacks one', () => {
  const note = { author: undefined, secret: 's', id: 'n1', text: 'hello' };
  const told = written.webhook.tell({ merchant_id: 'm1', note });
  expect(told).toEqual({
    resource_id: 'n1',
    merchant_id: 'm1',
    payment_id: null,
    webhook_url: null,
    content: { data: { id: 'n1', text: 'hello', author: null } },
  });
  expect(Object.keys(told.content.data ?? {})).toEqual(['id', 'text', 'author']);
  expect(silent.webhook).toBeNull();
});

test('an object that a record lacks is not shown', () => {
  const lost = fact('notes.note-lost.v1', {
    data: Other,
    webhook: {
      name: 'NoteLost',
      fills: { data: [Note, (): Note | null => null] },
      resource: ({ id }) => ({ resource_id: id, merchant_id: 'm1', payment_id: null, webhook_url: null }),
    },
  });
  expect(lost.webhook.tell({ id: 'n1' }).content).toEqual({});
});

test('a fact has a class with decorated fields', () => {
  expect(() => fact('notes.a.v1', { data: undefined as never })).toThrow('notes.a.v1 has no class');
  expect(() => fact('notes.a.v1', { data: Bare })).toThrow('notes.a.v1 has no class');
});

test('two facts of one type are a mistake', () => {
  const again = fact('notes.note-read.v1', { data: Other });
  expect(() => gatherFacts([silent, written, again])).toThrow('of the type notes.note-read.v1');
});

test('two webhooks of one name are a mistake, and the test event is one', () => {
  const named = <const Name extends string>(name: Name) =>
    fact('notes.note-lost.v1', { data: Written, webhook: { name, fills: {}, resource } });
  expect(() => gatherFacts([written, named('NoteWritten')])).toThrow('named NoteWritten');
  expect(() => gatherFacts([written, named('WebhookTest')])).toThrow('named WebhookTest');
  expect(gatherFacts([written, named('NoteLost')])).toHaveLength(2);
});

test('a webhook fills no object but those of the envelope', () => {
  const fills = { memo: [Note, ({ note }: Written) => note] } as object;
  const webhook = { name: 'NoteLost', fills, resource };
  expect(() => fact('notes.note-lost.v1', { data: Written, webhook })).toThrow('fills memo');
});

test('an object of the envelope has one class; `data` has the form of its event', () => {
  const filled = <const Key extends 'data' | 'receipt'>(name: string, key: Key, type: ClassOf) =>
    fact(`notes.note-${name.toLowerCase()}.v1`, {
      data: Written,
      webhook: { name, fills: { [key]: [type, ({ note }: Written) => note] } as object, resource },
    });
  const receipts = [filled('Lost', 'receipt', Note), filled('Found', 'receipt', Other)];
  expect(() => gatherFacts(receipts)).toThrow('show receipt as Note and as Other');
  expect(gatherFacts([filled('Lost', 'data', Note), filled('Found', 'data', Other)])).toHaveLength(2);
});

// What the compiler refuses; nothing of it runs.
export const refused = () => [
  fact('notes.a.v1', {
    data: Written,
    webhook: {
      name: 'A',
      // @ts-expect-error the text is not a Note
      fills: { data: [Note, ({ note }) => note.text] },
      resource,
    },
  }),
  fact('notes.a.v1', {
    data: Other,
    // @ts-expect-error another fact's resource
    webhook: { name: 'A', fills: {}, resource },
  }),
];
