import { inParallel } from './merchants';
import type { Product } from './product';

const AT_ONCE = 64;

/** Links per second that the API makes and begins a payment by: for each two requests, as a charge has both. */
export async function linksPaidPerSecond(product: Product, count: number): Promise<number> {
  const began = performance.now();
  await inParallel(count, AT_ONCE, async (number) => {
    const link = await asked(product, '/api/v1/payment-links', { amount: 5, max_uses: 1 });
    // From addresses of their own, by the proxy that the program trusts.
    const headers = { 'x-forwarded-for': `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` };
    await asked(product, `/api/v1/payment-links/${link.link_code}/pay`, undefined, { key: null, headers });
  });
  return count / ((performance.now() - began) / 1000);
}

async function asked(
  product: Product,
  path: string,
  body?: object,
  options: Parameters<Product['ask']>[3] = {},
): Promise<{ readonly link_code: string }> {
  const { status, json } = await product.ask('POST', path, body, options);
  if (status < 200 || status > 299) throw new Error(`${path} answered ${status} ${JSON.stringify(json)}`);
  return json as { readonly link_code: string };
}
