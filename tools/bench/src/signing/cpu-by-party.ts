import type { Battlefield } from '@tender/attack/stage';
import { processRow, treeCpu } from '../machine/processes';

interface Spent {
  readonly treasury: number;
  readonly signers: number;
  readonly all: number;
}

/** CPU of the processes that make a signature, since this was made. */
export class CpuByParty {
  private readonly began: Spent;

  constructor(private readonly field: Battlefield) {
    this.began = this.spent();
  }

  /** In ms: of treasury, of both signers, of their databases and the chain, and all. */
  perSignature(count: number): Readonly<Record<string, number>> {
    const now = this.spent();
    const each = (name: keyof Spent): number => ((now[name] - this.began[name]) * 1000) / count;
    const [treasury_ms, signers_ms, cpu_ms] = [each('treasury'), each('signers'), each('all')];
    return { cpu_ms, treasury_ms, signers_ms, stores_ms: cpu_ms - treasury_ms - signers_ms };
  }

  private spent(): Spent {
    const ownOf = (pid: number): number => processRow(pid)?.cpu_s ?? 0;
    return {
      treasury: ownOf(process.pid),
      signers: ownOf(this.field.signer('A').pid) + ownOf(this.field.signer('B').pid),
      all: treeCpu(process.pid),
    };
  }
}
