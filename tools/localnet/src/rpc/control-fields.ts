import { isFields, type Fields, type Params } from './params';

/** Control methods take `[{name: value}]`, or plain values in the order of `names`. */
export function controlFields(params: Params, names: readonly string[]): Fields {
  const [first] = params;
  if (params.length === 1 && isFields(first)) return first;
  return Object.fromEntries(
    names.map((name, index) => [name, params[index]]).filter(([, value]) => value !== undefined),
  );
}
