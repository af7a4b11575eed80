import { randomBytes, randomUUID } from 'node:crypto';
import { allRoutes, type RequestExample, type RequestExamples, type Route } from '@tender/contracts';
import bs58 from 'bs58';
import {
  areOpen,
  beginDemoPayments,
  makeDemoObjects,
  type DemoObjects,
  type DemoPayments,
  type DemoProgram,
} from './demo-objects';

/** What the reference is tried with: the demo merchant's key, and requests that succeed as they stand. */
export interface Trial {
  readonly api_key: string;
  readonly examples: RequestExamples;
}

/** Whoever opens the reference spends the merchant's limits with this; the merchant's own requests need them, too. */
const RENEWED_EVERY_MS = 5 * 60_000;

export interface TrialNeeds {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Hears why the objects could not be made, or made anew. */
  failed(error: unknown): void;
}

/**
 * Makes the objects that the examples name when the reference is first opened, once; payments and intents again when
 * they have ended. Neither is tried more than once in five minutes. What cannot be made anew stays as it was; where
 * nothing was made there is the key, and the examples of the contract.
 */
export function demoTrial(program: DemoProgram, { now, failed }: TrialNeeds): () => Promise<Trial> {
  const { api_key } = program;
  let objects: DemoObjects | null = null;
  let payments: DemoPayments | null = null;
  let examples: RequestExamples = {};
  let tried_at = -Infinity;
  let last: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    if (now() - tried_at < RENEWED_EVERY_MS) return;
    try {
      if (payments && (await areOpen(program, payments))) return;
      tried_at = now();
      objects ??= await makeDemoObjects(program);
      payments = await beginDemoPayments(program, objects);
      examples = examplesOf(objects, payments);
    } catch (error) {
      tried_at = now();
      failed(error);
    }
  };
  return async () => {
    // One after the other: a page that is opened twice at once has the same objects.
    await (last = last.then(renew));
    return { api_key, examples };
  };
}

function examplesOf(objects: DemoObjects, payments: DemoPayments): RequestExamples {
  const own = ownExamples(objects, payments);
  const named = Object.entries({ ...objects.named, ...payments.named });
  return Object.fromEntries(
    allRoutes.map((route: Route) => {
      const id = named.find(([beginning]) => route.path.startsWith(beginning))?.[1];
      const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const path = id ? Object.fromEntries(parameters.map((name) => [name, id])) : {};
      const { [route.id]: mine } = own;
      return [route.id, { ...mine, path: { ...path, ...mine?.path } }];
    }),
  );
}

/** As in the README: what the reader lets listen there hears the webhooks. */
const LISTENER_URL = 'http://127.0.0.1:9000/hooks';

/** Of routes that take another object than the others of its kind, or name one in the body. */
function ownExamples(objects: DemoObjects, payments: DemoPayments): RequestExamples {
  const { wallet, plan, switched_plan, subscribed } = objects;
  const { client_secret, cancelled_intent, submitted, paid, simulated } = payments;
  const at = ({ id }: { readonly id: string }): RequestExample => ({ path: { id } });
  const email = `owner-${randomUUID().slice(0, 8)}@shop.example.com`;
  return {
    createMerchant: { body: { email, webhook_url: LISTENER_URL } },
    configureWebhook: { body: { webhook_url: LISTENER_URL } },
    buildTransaction: { body: { payer_wallet: wallet } },
    postTransactionRequest: { body: { account: wallet } },
    submitTransaction: {
      path: { id: submitted.payment_id },
      body: { transaction_signature: bs58.encode(randomBytes(64)) },
    },
    confirmPaymentIntent: { body: { customer_wallet: wallet, client_secret } },
    cancelPaymentIntent: at(cancelled_intent),
    deactivatePlan: at(switched_plan),
    activatePlan: at(switched_plan),
    readPlanPage: { path: { plan_id: plan.id } },
    readSubscriptionPage: { path: { plan_id: plan.id, subscription_id: subscribed.id } },
    createSubscription: { body: { plan_id: plan.id, customer_wallet: wallet } },
    cancelSubscription: at(objects.cancelled),
    resumeSubscription: at(objects.paused),
    remindInvoice: at(objects.sent),
    cancelInvoice: at(objects.sent),
    voidInvoice: at(objects.voided),
    createInstallmentPlan: { body: { customer_wallet: wallet } },
    cancelInstallmentPlan: at(objects.cancelled_installments),
    payPayment: { body: { payment_id: paid.payment_id } },
    simulate: { body: { payment_id: simulated.payment_id } },
    faucet: { body: { address: wallet } },
  };
}
