import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { Product } from '../product/product';

/** How exactly a transfer is seen to be final. The program looks each 100 ms on a local chain. */
const LOOK_MS = 50;
const USDC_DECIMALS = 6;
const USDC_GIVEN = 100;
/** Final or not: nothing on the local chain takes longer. */
const PATIENCE_MS = 120_000;

/** USDC that one wallet sends to another without Tender: how long the chain itself takes. */
export class BareTransfers {
  /** Signature to the time (ms since 1970) of the node’s answer to it. */
  private readonly sent = new Map<string, number>();
  private readonly took: number[] = [];
  private made = 0;

  private constructor(
    private readonly connection: Connection,
    private readonly from: Keypair,
    private readonly transfer: (amount: number) => TransactionInstruction,
  ) {}

  static async open(product: Product): Promise<BareTransfers> {
    const [{ Connection, Keypair, PublicKey }, spl] = await solana();
    const { json } = await product.ask('GET', '/api/v1/test_helpers/environment');
    const { rpc_url, mints } = json.networks.test;
    const [from, to] = [Keypair.generate(), Keypair.generate()];
    const mint = new PublicKey(mints.USDC as string);
    const accountOf = (owner: PublicKey) => spl.getAssociatedTokenAddressSync(mint, owner);
    const give = (address: string, token: string, amount: number) =>
      product.ask('POST', '/api/v1/test_helpers/faucet', { address, token, amount });
    await give(from.publicKey.toBase58(), 'SOL', 1);
    await give(from.publicKey.toBase58(), 'USDC', USDC_GIVEN);
    // It has its account already, as the customer who gets a refund has.
    await give(to.publicKey.toBase58(), 'USDC', 1);
    return new BareTransfers(new Connection(rpc_url as string, 'confirmed'), from, (amount) =>
      spl.createTransferCheckedInstruction(
        ...[accountOf(from.publicKey), mint, accountOf(to.publicKey)] as const,
        ...[from.publicKey, amount, USDC_DECIMALS] as const,
      ),
    );
  }

  async send(): Promise<void> {
    const [{ Transaction }] = await solana();
    const latest = await this.connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: this.from.publicKey, ...latest });
    // Each another amount: the same bytes twice would be one transaction.
    transaction.add(this.transfer((this.made += 1)));
    transaction.sign(this.from);
    const signature = await this.connection.sendRawTransaction(transaction.serialize());
    this.sent.set(signature, performance.now());
  }

  /** Milliseconds from the node’s answer to final, of each, as long as `more` may come. */
  async untilFinal(more: () => boolean): Promise<readonly number[]> {
    for (const until = performance.now() + PATIENCE_MS; more() || this.sent.size > 0; ) {
      await sleep(LOOK_MS);
      const signatures = [...this.sent.keys()];
      if (signatures.length > 0) await this.look(signatures);
      if (performance.now() > until) throw new Error(`${this.sent.size} bare transfers are not final`);
    }
    return this.took;
  }

  private async look(signatures: string[]): Promise<void> {
    const { value } = await this.connection.getSignatureStatuses(signatures);
    const now = performance.now();
    for (const [at, signature] of signatures.entries()) {
      if (value[at]?.confirmationStatus !== 'finalized') continue;
      this.took.push(now - (this.sent.get(signature) as number));
      this.sent.delete(signature);
    }
  }
}

/** Loaded when needed: the library says a line about itself on the screen. */
const solana = () => Promise.all([import('@solana/web3.js'), import('@solana/spl-token')]);
