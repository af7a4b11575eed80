/** One node of a chain, asked by JSON-RPC. Throws where it gave no answer, or an error in place of one. */
export interface RpcNode {
  /** For logs: no key that a URL may carry. */
  readonly name: string;
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** What a signer must know of the chain was not to be had. Nothing is signed on what is unknown. */
export class EvidenceUnavailable extends Error {
  override readonly name = 'EvidenceUnavailable';
}
