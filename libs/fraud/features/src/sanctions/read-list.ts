import { createHash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';

/** What is wrong with a file; nothing of it was taken over. */
export class BrokenList extends Error {
  override readonly name = 'BrokenList';
}

export interface ReadList {
  /** Of all bytes, hex. */
  readonly sha256: string;
  /** `YYYY-MM-DD` */
  readonly issued_on: string;
}

const ROOT = 'Sanctions';
const ADDRESS_FEATURE = 'Digital Currency Address - ';
/** No address of any chain is longer; no text of another element is needed. */
const TEXT_MAX = 256;

/** What is kept while a file runs by: the open element’s text, and which features are addresses. */
class ListReading {
  private readonly path: string[] = [];
  private readonly address_types = new Set<string>();
  private readonly issued = { Year: '', Month: '', Day: '' };
  private text = '';
  private type_id = '';
  private is_address = false;
  private closed = false;
  found: string[] = [];

  open({
    name,
    attributes,
  }: {
    name: string;
    attributes: Readonly<Record<string, unknown>>;
  }): void {
    const local = localName(name);
    if (this.path.length === 0 && local !== ROOT)
      throw new BrokenList(`the file begins with <${local}>`);
    this.path.push(local);
    this.text = '';
    if (local === 'FeatureType') this.type_id = String(attributes['ID'] ?? '');
    if (local === 'Feature') {
      this.is_address = this.address_types.has(String(attributes['FeatureTypeID'] ?? ''));
    }
  }

  take(text: string): void {
    if (this.text.length <= TEXT_MAX) this.text += text;
  }

  close(): void {
    const local = this.path.pop();
    const text = this.text.trim();
    this.text = '';
    if (local === 'FeatureType' && text.startsWith(ADDRESS_FEATURE))
      this.address_types.add(this.type_id);
    if (local === 'VersionDetail' && this.is_address && text !== '') this.found.push(copied(text));
    if (local === 'Feature') this.is_address = false;
    const is_issue = this.path.length === 2 && this.path[1] === 'DateOfIssue';
    if (is_issue && (local === 'Year' || local === 'Month' || local === 'Day'))
      this.issued[local] = text;
    if (local === ROOT) this.closed = true;
  }

  /** Throws where the file ended early, or is no list of the form that is published. */
  end(): string {
    if (!this.closed) throw new BrokenList('the file ends before its end: it was cut');
    const { Year, Month, Day } = this.issued;
    const issued_on = `${Year}-${Month.padStart(2, '0')}-${Day.padStart(2, '0')}`;
    if (!/^\d{4}-\d{2}-\d{2}$/.test(issued_on))
      throw new BrokenList('the list has no date of issue');
    if (this.address_types.size === 0) {
      throw new BrokenList('the list has no feature type "Digital Currency Address - …"');
    }
    return issued_on;
  }
}

/** A part of a text keeps the whole of it in memory: here a piece of the file for each address. */
const copied = (text: string): string => Buffer.from(text).toString();

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads a list in the advanced XML form of OFAC’s SDN list as it arrives, and hands over addresses of every
 * "Digital Currency Address - *" type in bunches: neither the file nor the addresses are ever in memory as a whole.
 * Types and dates stand before the parties. Throws `BrokenList`; what was handed over until then is void.
 */
export async function readList(
  chunks: AsyncIterable<Uint8Array>,
  onAddresses: (addresses: readonly string[]) => Promise<void>,
  bunch = 1000,
): Promise<ReadList> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reading = new ListReading();
  const parser = new SaxesParser({ position: false });
  parser.on('opentag', (tag) => reading.open(tag));
  parser.on('text', (text) => reading.take(text));
  parser.on('cdata', (text) => reading.take(text));
  parser.on('closetag', () => reading.close());
  parser.on('error', ({ message }) => {
    throw new BrokenList(`the file is not well-formed XML (${message})`);
  });
  for await (const chunk of chunks) {
    hash.update(chunk);
    parser.write(decoded(decoder, chunk));
    if (reading.found.length >= bunch) await onAddresses(reading.found.splice(0));
  }
  parser.write(decoded(decoder)).close();
  const issued_on = reading.end();
  if (reading.found.length > 0) await onAddresses(reading.found.splice(0));
  return { sha256: hash.digest('hex'), issued_on };
}

function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new BrokenList('the file is not in UTF-8');
  }
}
