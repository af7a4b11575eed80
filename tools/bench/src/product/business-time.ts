import type { Product } from './product';

/** Moves business time by `clock/advance`, as many seconds as it takes in one request. */
export async function advance(product: Product, seconds: number): Promise<void> {
  const { status, json } = await product.ask('POST', '/api/v1/test_helpers/clock/advance', { seconds });
  if (status !== 200) throw new Error(`the clock did not move: ${status} ${JSON.stringify(json)}`);
}

/** To the first whole second after that time (ms), if it is ahead. */
export async function advanceTo(product: Product, time_ms: number): Promise<void> {
  const { json } = await product.ask('GET', '/api/v1/test_helpers/environment');
  const seconds = Math.ceil((time_ms - Date.parse(json.now as string)) / 1000) + 1;
  if (seconds > 0) await advance(product, seconds);
}
