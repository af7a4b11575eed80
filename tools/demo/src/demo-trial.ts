import { randomBytes, randomUUID } from 'node:crypto';
import { allRoutes, type RequestExample, type RequestExamples, type Route } from '@tender/contracts';
import bs58 from 'bs58';
import { areOpen, makeDemoObjects, type DemoObjects, type DemoProgram } from './demo-objects';

/** What the reference is tried with: the demo merchant's key, and requests that succeed as they stand. */
export interface Trial {
  readonly api_key: string;
  readonly examples: RequestExamples;
}

/**
 * Makes the objects that the examples name when the reference is first opened, and again once they are no longer open.
 * Where they cannot be made there is the key, and the examples of the contract.
 */
export function demoTrial(program: DemoProgram): () => Promise<Trial> {
  const { api_key } = program;
  const plain: Trial = { api_key, examples: {} };
  let making: Promise<Made | null> = Promise.resolve(null);
  const kept = async (made: Made | null): Promise<Made> => {
    if (made && (await areOpen(program, made.objects))) return made;
    const objects = await makeDemoObjects(program);
    return { objects, trial: { api_key, examples: examplesOf(objects) } };
  };
  return async () => {
    // One after the other: a page that is opened twice at once has the same objects.
    making = making.then(kept).catch(() => null);
    return (await making)?.trial ?? plain;
  };
}

interface Made {
  readonly objects: DemoObjects;
  readonly trial: Trial;
}

function examplesOf(objects: DemoObjects): RequestExamples {
  const own = ownExamples(objects);
  const named = Object.entries(objects.named);
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
function ownExamples(objects: DemoObjects): RequestExamples {
  const { wallet, client_secret, plan, switched_plan, subscribed } = objects;
  const at = ({ id }: { readonly id: string }): RequestExample => ({ path: { id } });
  const email = `owner-${randomUUID().slice(0, 8)}@shop.example.com`;
  return {
    createMerchant: { body: { email, webhook_url: LISTENER_URL } },
    configureWebhook: { body: { webhook_url: LISTENER_URL } },
    buildTransaction: { body: { payer_wallet: wallet } },
    postTransactionRequest: { body: { account: wallet } },
    submitTransaction: {
      path: { id: objects.submitted.payment_id },
      body: { transaction_signature: bs58.encode(randomBytes(64)) },
    },
    confirmPaymentIntent: { body: { customer_wallet: wallet, client_secret } },
    cancelPaymentIntent: at(objects.cancelled_intent),
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
    payPayment: { body: { payment_id: objects.paid.payment_id } },
    simulate: { body: { payment_id: objects.simulated.payment_id } },
    faucet: { body: { address: wallet } },
  };
}
