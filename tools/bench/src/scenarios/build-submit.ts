import type { Bench, Scenario } from '../bench';
import { Customer } from '../chain/customer';
import { FakeChain } from '../chain/fake-chain';
import { BUILD_SUBMIT } from '../goals';
import { BEHIND_PROXY } from '../load/client-address';
import { Histogram } from '../load/histogram';
import { untilCalm } from '../machine/cpu-meter';
import { countEvents } from '../product/log-rows';
import { inParallel } from '../product/merchants';
import { Product } from '../product/product';
import type { Answer } from '../product/request';
import type { Figures } from '../report/entry';
import { entryOfRounds } from './figures-side';

const AT_ONCE = 32;
const PAYMENTS = { full: 2_000, quick: 500 };
const STEPS = ['build', 'submit'] as const;
/** Only its height matters: what is built must not die while it is measured. */
const QUIET = { slot_ms: 400, strangers: 0 };

/** What a customer does in the browser, against creating the same payments in the same program just before. */
export const buildSubmit: Scenario = {
  name: 'build-submit',
  async run(bench) {
    const rounds: Measured[] = [];
    for (let number = 1; number <= bench.flags.rounds; number += 1) {
      const round = await bench.noise.round(() => measured(bench), bench.say);
      rounds.push(round);
      bench.say(`  build-submit ${number}/${bench.flags.rounds}: ${lineOf(round)}`);
    }
    return STEPS.map((step) => {
      const sides = rounds.map(({ faults, create, ...steps }) => ({
        baseline: { figures: create, faults },
        candidate: { figures: steps[step], faults: [] },
      }));
      return entryOfRounds(bench, sides, {
        name: 'build-submit',
        params: { step, at_once: AT_ONCE },
        baseline_name: 'creating them',
        compared: ['rps', 'p99'],
        goals: BUILD_SUBMIT[step],
      });
    });
  },
};

type Measured = Readonly<Record<'create' | (typeof STEPS)[number], Figures>> & {
  readonly faults: readonly string[];
};

const lineOf = (round: Measured): string =>
  (['create', ...STEPS] as const)
    .map((step) => {
      const { rps = NaN, p99 = NaN } = round[step];
      return `${step} ${rps.toFixed(0)}/s p99 ${p99.toFixed(0)} ms`;
    })
    .join('  ');

async function measured(bench: Bench): Promise<Measured> {
  const count = PAYMENTS[bench.flags.quick ? 'quick' : 'full'];
  const customers = Array.from({ length: count }, (_, number) => new Customer(number));
  const chain = await FakeChain.start();
  const product = await Product.start({
    data_dir: bench.folder('build-submit'),
    // Customers come from addresses of their own.
    env: { SOLANA_RPC_URL_TEST: chain.url, ...BEHIND_PROXY },
    profile: bench.flags.profile,
  });
  const pay = (id: unknown, action: string, { headers }: Customer, body: object) =>
    product.ask('POST', `/api/v1/payments/${String(id)}/${action}`, body, { key: null, headers });
  try {
    await chain.pace(QUIET);
    const create = await timed(product, customers, () =>
      product.ask('POST', '/api/v1/payments', { amount: 5 }),
    );
    const build = await timed(product, customers, (customer, number) =>
      pay(create.answers[number]?.json.id, 'build-transaction', customer, { payer_wallet: customer.wallet }),
    );
    const signed = customers.map((customer, number) =>
      customer.signed(String(build.answers[number]?.json.transaction)),
    );
    const submit = await timed(product, customers, (customer, number) =>
      pay(create.answers[number]?.json.id, 'submit-transaction', customer, {
        signed_transaction: signed[number],
      }),
    );
    const faults = [
      ...[create, build, submit].flatMap((step) => step.faults),
      ...(await missing(product, 'TransactionBuilt', count)),
      ...(await missing(product, 'TransactionSubmitted', count)),
    ];
    return { create: create.figures, build: build.figures, submit: submit.figures, faults };
  } finally {
    await product.stop();
    await chain.stop();
  }
}

/** One request of each customer, so many at once; then what they left to followers is worked off. */
async function timed(
  { metered }: Product,
  customers: readonly Customer[],
  ask: (customer: Customer, number: number) => Promise<Answer>,
): Promise<{ figures: Figures; answers: readonly Answer[]; faults: readonly string[] }> {
  const answers: Answer[] = [];
  const times = new Histogram();
  const began = performance.now();
  await inParallel(customers.length, AT_ONCE, async (number) => {
    const asked = performance.now();
    answers[number] = await ask(customers[number] as Customer, number);
    times.add(performance.now() - asked);
  });
  const rps = customers.length / ((performance.now() - began) / 1000);
  await untilCalm(metered);
  const refused = answers.filter(({ status }) => status !== 200);
  const faults = refused
    .slice(0, 1)
    .map(({ json }) => `${refused.length} requests were refused: ${JSON.stringify(json)}`);
  return { figures: { rps, p50: times.quantile(0.5), p99: times.quantile(0.99) }, answers, faults };
}

async function missing({ server }: Product, type: string, count: number): Promise<string[]> {
  const stored = await countEvents(server.connection_string, type);
  return stored === count ? [] : [`${count} answers were 2xx, ${stored} ${type} are in the log`];
}
