/** RFC 7914: by the platform where it has it (`#scrypt` of this package), else by a library. */
export type Scrypt = (
  password: Uint8Array,
  salt: Uint8Array,
  cost: {
    readonly N: number;
    readonly r: number;
    readonly p: number;
    /** Bytes of the key. */
    readonly dkLen: number;
    /** Bytes. */
    readonly maxmem: number;
  },
  /** From 0 to 1. */
  onProgress?: (done: number) => void,
) => Promise<Uint8Array>;
