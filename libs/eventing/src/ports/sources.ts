/** A document as it arrives. */
export interface OpenSource {
  /** Null: the place still has the version that was seen. */
  readonly chunks: AsyncIterable<Uint8Array> | null;
  /** Wall time: when a file was last written, when a URL was asked. */
  readonly as_of_ms: number;
  /** Another one with other bytes; null where the place names none. */
  readonly version: string | null;
}

/** Documents of any size that an operator names: a file, or a URL. */
export interface Sources {
  /** Rejects where there is nothing to read; `chunks` throw where it ends early. */
  open(place: string, signal: AbortSignal, seen_version?: string | null): Promise<OpenSource>;
}

/** What is no URL is a file: to look whether it has changed costs nothing. */
export const isUrl = (place: string): boolean => /^https?:\/\//i.test(place);
