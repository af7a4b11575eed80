import type { StoredEvent } from '../events/event';
import { publications, tells } from './publications';

interface Written {
  readonly type: 'NoteWritten';
  readonly data: { readonly text: string; readonly author: string };
}
interface Filed {
  readonly type: 'NoteFiled';
  readonly data: { readonly folder: string };
}

class NoteFact {
  text!: string;
  folder?: string;
}
const noteWritten = { type: 'notes.note-written.v1', data: NoteFact };
const tellWritten = tells(noteWritten, ({ data }: Written) => ({ text: data.text }));

const stored = (type: string, data: object) => ({ type, data }) as StoredEvent;
const written = stored('NoteWritten', { text: 'hello', author: 'a1' });

test('an event becomes the fact that it is mapped to, or stays private', () => {
  const publish = publications<Written | Filed>({ NoteWritten: tellWritten, NoteFiled: 'private' });
  expect(publish(written)).toEqual({ type: 'notes.note-written.v1', data: { text: 'hello' } });
  expect(publish(stored('NoteFiled', { folder: 'f1' }))).toBeNull();
});

test('whom a fact concerns may be in the event itself', () => {
  const publish = publications<Written>({ NoteWritten: tellWritten }, ({ data }) => data.author);
  expect(publish(written)).toMatchObject({ merchant_id: 'a1' });
});

test.each(['NoteBurnt', 'constructor', '__proto__'])('%s of a later release stays private', (type) => {
  const publish = publications<Written>({ NoteWritten: tellWritten });
  expect(publish(stored(type, {}))).toBeNull();
});

// What the compiler refuses; nothing of it runs.
export const refused = () => [
  // @ts-expect-error nothing says whether NoteFiled becomes a fact
  publications<Written | Filed>({ NoteWritten: tellWritten }),
  // @ts-expect-error there is no such event
  publications<Written>({ NoteWritten: tellWritten, NoteLost: 'private' }),
  // @ts-expect-error this tells NoteWritten
  publications<Written | Filed>({ NoteWritten: tellWritten, NoteFiled: tellWritten }),
  publications<Written>({
    // @ts-expect-error the fact needs a text
    NoteWritten: tells(noteWritten, () => ({ folder: 'f1' })),
  }),
  publications<Written>({
    // @ts-expect-error a folder is no number
    NoteWritten: tells(noteWritten, ({ data }) => ({ text: data.text, folder: 1 })),
  }),
  publications<Written>({
    // @ts-expect-error the event has no title
    NoteWritten: tells(noteWritten, ({ data }) => ({ text: data.title })),
  }),
];
