import { fieldsOf } from './openapi/schema';
import { shownAs } from './shown-as';
import {
  ENVELOPE_OBJECTS,
  OWN_DATA,
  WEBHOOK_TEST_EVENT,
  type EnvelopeContent,
  type EnvelopeObject,
} from './webhook-envelope';

/** A class with class-validator decorators: type and JSON schema at once. */
export type ClassOf<Value extends object = object> = new () => Value;

/**
 * A public event: its type, and the class of what it tells. AsyncAPI, webhooks, their planning and the typed
 * `publications` of a context follow from it.
 */
export interface Fact<
  Type extends string = string,
  Data extends object = object,
  Name extends string | null = string | null,
> {
  /** `<context>.<noun-past>.v<N>` */
  readonly type: Type;
  readonly data: ClassOf<Data>;
  /** Null where merchants do not hear of it. */
  readonly webhook: Name extends string ? FactWebhook<Name> : null;
}

export type DataOf<One extends Fact> = InstanceType<One['data']>;

/** Whom a webhook concerns, and where it goes. */
export interface WebhookResource {
  /** Whose events are counted and kept in order. */
  readonly resource_id: string;
  readonly merchant_id: string;
  readonly payment_id: string | null;
  /** The payment's own URL, which takes the place of the merchant's. */
  readonly webhook_url: string | null;
}

export interface FactWebhook<Name extends string = string> {
  readonly name: Name;
  readonly fills: { readonly [Key in EnvelopeObject]?: ClassOf };
  /** Of these, what some events leave null. */
  readonly sometimes: readonly string[];
  /** Reads the data of this fact. It runs for every event: all that can be prepared is prepared beforehand. */
  readonly tell: (data: object) => WebhookResource & { readonly content: EnvelopeContent };
}

interface WebhookOptions<Name extends string, Data extends object, Shown> {
  /** `PaymentConfirmed` */
  readonly name: Name;
  /** The envelope's objects that it fills: their class, and where a fact has them, if it does. */
  readonly fills: {
    readonly [Key in keyof Shown]: readonly [
      ClassOf<Shown[Key] & object>,
      (fact: NoInfer<Data>) => NoInfer<Shown[Key]> | null | undefined,
    ];
  };
  readonly resource: (fact: NoInfer<Data>) => WebhookResource;
  /** What it fills in some events only; null in the others. */
  readonly sometimes?: readonly (keyof Shown & string)[];
}

/** Declares a public event. Throws at load when it has no class, or fills what no envelope has. */
export function fact<
  const Type extends string,
  Data extends object,
  Shown extends EnvelopeContent,
  const Name extends string = never,
>(
  type: Type,
  options: {
    readonly data: ClassOf<Data>;
    readonly webhook?: WebhookOptions<Name, Data, Shown>;
  },
): Fact<Type, Data, [Name] extends [never] ? null : Name>;
export function fact(
  type: string,
  { data, webhook }: { readonly data: ClassOf; readonly webhook?: ErasedWebhook },
): Fact {
  if (typeof data !== 'function' || fieldsOf(data).length === 0) {
    throw new Error(`The fact ${type} has no class with decorated fields, so nothing describes its data.`);
  }
  return { type, data, webhook: webhook ? compiled(type, webhook) : null };
}

type Filling = readonly [ClassOf, (data: object) => object | null | undefined];
interface ErasedWebhook {
  readonly name: string;
  readonly fills: Readonly<Record<string, Filling>>;
  readonly resource: (data: object) => WebhookResource;
  readonly sometimes?: readonly string[];
}

function compiled(
  type: string,
  { name, fills, resource, sometimes = [] }: ErasedWebhook,
): FactWebhook {
  const known: readonly string[] = ENVELOPE_OBJECTS;
  const unknown = Object.keys(fills).find((key) => !known.includes(key));
  if (unknown) throw new Error(`The fact ${type} fills ${unknown}, which no webhook has.`);
  const parts = Object.entries(fills).map(
    ([key, [shown, find]]) => [key, find, shownAs(shown)] as const,
  );
  return {
    ...{ name, sometimes },
    fills: Object.fromEntries(Object.entries(fills).map(([key, [shown]]) => [key, shown])),
    tell(data) {
      const content: Record<string, object> = {};
      for (const [key, find, show] of parts) {
        const found = find(data);
        if (found) content[key] = show(found);
      }
      return { ...resource(data), content };
    },
  };
}

/**
 * All facts as one list. Throws for two of one type, two webhooks of one name, and an object of the envelope that
 * two facts fill with different classes; `data` alone has a form of its own for each event.
 */
export function gatherFacts<const Facts extends readonly Fact[]>(facts: Facts): Facts {
  const types = new Set<string>();
  const names = new Set<string>([WEBHOOK_TEST_EVENT]);
  const shown = new Map<string, ClassOf>();
  for (const { type, webhook } of facts) {
    if (types.has(type)) throw new Error(`Two facts are of the type ${type}.`);
    types.add(type);
    if (!webhook) continue;
    if (names.has(webhook.name)) throw new Error(`Two webhooks are named ${webhook.name}.`);
    names.add(webhook.name);
    for (const [key, one] of Object.entries(webhook.fills)) {
      const other = shown.get(key) ?? one;
      if (other !== one && key !== OWN_DATA) {
        throw new Error(`Webhooks show ${key} as ${other.name} and as ${one.name}. Choose one.`);
      }
      shown.set(key, one);
    }
  }
  return facts;
}
