/** What may happen to an object, each by its type: `Facts` says what belongs to it. */
export type FactOf<Facts> = {
  [Type in keyof Facts]: { readonly type: Type; readonly data: Facts[Type] };
}[keyof Facts];

/** As it is stored. A public event is made from one event alone, so each has all that merchants hear of the object. */
export type EventOf<Facts, Told> = FactOf<{ [Type in keyof Facts]: Facts[Type] & Told }>;
