import type { Bench, Scenario } from '../bench';
import { PAY_LINK, PAY_LINK_USED } from '../goals';
import { BEHIND_PROXY, clientAddress } from '../load/client-address';
import { paymentRequest } from '../load/payment-request';
import { untilCalm } from '../machine/cpu-meter';
import { inParallel } from '../product/merchants';
import { runRounds, type Round } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { CONNECTIONS, paymentsMade } from './payments-made';

/** Customers before those of the load, from other addresses. */
const EARLIER = 1 << 23;
const USES = { full: 10_000, quick: 2_000 };

/** Paying by one link without `max_uses`, against POST /payments, and against itself once it was used often. */
export const payLink: Scenario = {
  name: 'pay-link',
  async run(bench) {
    const uses = USES[bench.flags.quick ? 'quick' : 'full'];
    const rounds = bench.flags.quick ? 1 : bench.flags.rounds;
    const against_create = await runRounds<FiguresSide>(
      bench,
      'pay-link',
      { baseline: () => create(bench), candidate: () => pay(bench, 0) },
      line,
      rounds,
    );
    const against_new = await runRounds<FiguresSide>(
      bench,
      `pay-link after ${uses} uses`,
      { baseline: () => pay(bench, 0), candidate: () => pay(bench, uses) },
      line,
      Math.min(2, rounds),
    );
    const common = { name: 'pay-link', compared: ['rps'] as const };
    return [
      entryOfRounds(bench, against_create, {
        ...common,
        ...{ params: { connections: CONNECTIONS }, baseline_name: 'create-payment', goals: PAY_LINK },
      }),
      entryOfRounds(bench, against_new, {
        ...common,
        ...{ params: { uses }, baseline_name: 'a new link', goals: PAY_LINK_USED },
      }),
    ];
  },
};

function line({ baseline, candidate }: Round<FiguresSide>): string {
  const [ours, theirs] = [candidate.figures['rps'] ?? NaN, baseline.figures['rps'] ?? NaN];
  return `${ours.toFixed(0)}/${theirs.toFixed(0)} = ${(ours / theirs).toFixed(2)}`;
}

const create = (bench: Bench): Promise<FiguresSide> =>
  paymentsMade(bench, {
    name: 'pay-link',
    env: BEHIND_PROXY,
    requestFor: ({ ready }) => paymentRequest(ready.demo.api_key),
  });

const pay = (bench: Bench, uses: number): Promise<FiguresSide> =>
  paymentsMade(bench, {
    name: 'pay-link',
    // Customers come from addresses of their own: fraud looks at how often one has paid.
    env: BEHIND_PROXY,
    async requestFor(product) {
      const link = await product.ask('POST', '/api/v1/payment-links', { amount: 5 });
      const path = `/api/v1/payment-links/${link.json.link_code}/pay`;
      await inParallel(uses, CONNECTIONS, async (number) => {
        const headers = { 'x-forwarded-for': clientAddress(EARLIER + number) };
        const { status } = await product.ask('POST', path, undefined, { key: null, headers });
        if (status !== 201) throw new Error(`paying by the link answered ${status}`);
      });
      await untilCalm(product.metered);
      return { method: 'POST', paths: [path], headers: {}, body: 'none', forwarded: true };
    },
  });
