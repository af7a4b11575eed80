/** A document as it arrives. */
export interface OpenSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Wall time: when a file was last written, when a URL was asked. */
  readonly as_of_ms: number;
}

/** Documents of any size that an operator names: a file, or a URL. */
export interface Sources {
  /** Rejects where there is nothing to read; `chunks` throw where it ends early. */
  open(place: string, signal: AbortSignal): Promise<OpenSource>;
}
