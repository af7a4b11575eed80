import { EvidenceUnavailable, type RpcNode } from './rpc-node';

/** The nodes that a signer was given for one mode. A node of another network is never believed. */
export class ChainNodes {
  private readonly admitted = new Set<RpcNode>();

  constructor(
    private readonly nodes: readonly RpcNode[],
    private readonly genesis_hash: string,
  ) {}

  /** The answer of the first node that gives one. */
  async first<Answer>(ask: (node: RpcNode) => Promise<Answer>): Promise<Answer> {
    let fault = 'no node is named for this mode';
    for (const node of this.nodes) {
      try {
        await this.admit(node);
        return await ask(node);
      } catch (error) {
        fault = sentenceOf(node, error);
      }
    }
    throw new EvidenceUnavailable(fault);
  }

  /** The answers of the nodes, and whether one is missing. */
  async every<Answer>(
    ask: (node: RpcNode) => Promise<Answer>,
  ): Promise<{ readonly answers: readonly Answer[]; readonly missing: string | null }> {
    const asked = this.nodes.map(async (node) => {
      await this.admit(node);
      return ask(node);
    });
    const results = await Promise.allSettled(asked);
    const answers = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = results.findIndex(({ status }) => status === 'rejected');
    if (failed < 0) return { answers, missing: answers.length > 0 ? null : 'no node is named' };
    const { reason } = results[failed] as PromiseRejectedResult;
    return { answers, missing: sentenceOf(this.nodes[failed] as RpcNode, reason) };
  }

  private async admit(node: RpcNode): Promise<void> {
    if (this.admitted.has(node)) return;
    const genesis = await node.call('getGenesisHash', []);
    if (genesis !== this.genesis_hash) {
      throw new Error(`it belongs to the network ${String(genesis)}, not to ${this.genesis_hash}`);
    }
    this.admitted.add(node);
  }
}

const sentenceOf = (node: RpcNode, error: unknown): string =>
  `${node.name}: ${error instanceof Error ? error.message : 'failed'}`;
