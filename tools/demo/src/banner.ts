/** What a newcomer needs on the screen: where things are, a key, and a request that works when pasted. */
export function banner(
  url: string,
  demo: { readonly api_key: string; readonly link_url: string | null } | null,
  places: {
    readonly data_dir: string;
    /** Of the local chains; none where a chain outside is used, and then no helpers are served either. */
    readonly local_rpc_urls: readonly string[];
    readonly ready_ms: number;
  },
): string {
  const seconds = (places.ready_ms / 1000).toFixed(1);
  const is_local = places.local_rpc_urls.length > 0;
  const lines = [
    '',
    `Tender is ready (${seconds} s).`,
    `  API            ${url}/api/v1`,
    `  Reference      ${url}/reference`,
    `  Contracts      ${url}/openapi.json  ${url}/asyncapi.json`,
    ...(is_local ? [`  Local chains   ${places.local_rpc_urls.join('  ')}`] : []),
    `  Data folder    ${places.data_dir}`,
  ];
  if (demo) {
    lines.push(
      `  Test key       ${demo.api_key}`,
      ...(demo.link_url ? [`  Checkout       ${demo.link_url}`] : []),
      '',
      'Create a payment, and open its payment_url as a customer does:',
      `curl -s ${url}/api/v1/payments -H 'Authorization: Bearer ${demo.api_key}' -H 'Content-Type: application/json' -d '{"amount": 10.50, "token": "USDC", "description": "First order"}'`,
    );
  }
  if (demo && is_local) {
    lines.push(
      '',
      'Pay it on the local chain (put the id of the answer in place of PAYMENT_ID):',
      `  curl -s ${url}/api/v1/test_helpers/pay -H 'Authorization: Bearer ${demo.api_key}' -H 'Content-Type: application/json' -d '{"payment_id": "PAYMENT_ID"}'`,
    );
  }
  lines.push('', 'Stop with Ctrl-C; what happened is kept.', '');
  return lines.join('\n');
}
