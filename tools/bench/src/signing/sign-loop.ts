import { Battlefield } from '@tender/attack/stage';
import { hasSigned } from '@tender/transactions';
import { answerOrders } from '../answer-orders';
import { Histogram } from '../load/histogram';
import { AskedSigners } from './asked-signers';
import { CpuByParty } from './cpu-by-party';
import { RefundedWallet, type Refund } from './refunded-wallet';

interface Order {
  readonly in_flight: number;
  readonly wallets: number;
  readonly warmup_ms: number;
  readonly timed_ms: number;
}

interface Done extends Refund {
  readonly signature: Uint8Array;
}

// Two started signers, each with its ledger, beside a chain: treasury’s part is played here.
answerOrders(signAll);

async function signAll({ in_flight, wallets, warmup_ms, timed_ms }: Order) {
  const field = await Battlefield.open({ SIGNER_DAY_LIMIT_USD: '1000000' });
  try {
    const paid: RefundedWallet[] = [];
    while (paid.length < wallets) paid.push(await RefundedWallet.open(field));
    // It stays the newest: the chain makes no block by itself.
    const { blockhash } = await field.chain.connection.getLatestBlockhash('confirmed');
    const signing = new Signing(new AskedSigners(field), paid, blockhash);
    await signing.until(performance.now() + warmup_ms, in_flight);
    const one = await signing.until(performance.now() + timed_ms, 1);
    const cpu = new CpuByParty(field);
    const began = performance.now();
    const many = await signing.until(began + timed_ms, in_flight);
    const per_s = many.count / ((performance.now() - began) / 1000);
    const cost = cpu.perSignature(many.count);
    const figures = { per_s, ...cost, p50: one.quantile(0.5), p99: one.quantile(0.99) };
    return { figures, faults: await signing.faults(field) };
  } finally {
    await field.close();
  }
}

class Signing {
  private readonly done: Done[] = [];
  private next = 0;

  constructor(
    private readonly signers: AskedSigners,
    private readonly wallets: readonly RefundedWallet[],
    private readonly blockhash: string,
  ) {}

  /** Signs so many at once, from wallets in turn; how long each took. */
  async until(until: number, in_flight: number): Promise<Histogram> {
    const took = new Histogram();
    const work = async (): Promise<void> => {
      while (performance.now() < until) {
        const began = performance.now();
        const wallet = this.wallets[(this.next += 1) % this.wallets.length] as RefundedWallet;
        const refund = wallet.refund(this.blockhash);
        const signature = await this.signers.sign(wallet.roster, refund.op, refund.message);
        took.add(performance.now() - began);
        this.done.push({ ...refund, signature });
      }
    };
    await Promise.all(Array.from({ length: in_flight }, work));
    return took;
  }

  /** Each signature is looked at again, and each share is in its signer’s ledger. */
  async faults(field: Battlefield): Promise<string[]> {
    await this.signers.close();
    const wrong = this.done.filter(({ op, message, signature }) => {
      return !hasSigned(op.wallet, message, signature);
    });
    const faults = wrong.length > 0 ? [`${wrong.length} signatures are none`] : [];
    for (const role of ['A', 'B'] as const) {
      const { rows } = await field.ledger(role).query<{ count: string }>(
        `select count(*) from operations where state = 'share_out'`,
      );
      const kept = Number(rows[0]?.count);
      if (kept === this.done.length) continue;
      faults.push(`${this.done.length} were signed, and the ledger of ${role} has ${kept}`);
    }
    return faults;
  }
}
