import { banner } from './banner';

const LINK = 'http://127.0.0.1:8080/l/t2G07CmNoapiczVxS8gXbNH';
const printed = (local_rpc_urls: readonly string[], link_url: string | null = LINK) =>
  banner('http://127.0.0.1:8080', { api_key: 'svc_test_key', link_url }, { data_dir: '/data', local_rpc_urls, ready_ms: 900 });

test('local chains are named, and how to pay on them', () => {
  const text = printed(['http://127.0.0.1:1', 'http://127.0.0.1:2']);
  expect(text).toContain('Local chains   http://127.0.0.1:1  http://127.0.0.1:2');
  expect(text).toContain('/api/v1/test_helpers/pay');
});

test('with a chain outside there is no local chain and no helper to name', () => {
  const text = printed([]);
  expect(text).not.toMatch(/local chain|test_helpers/i);
  expect(text).toContain('svc_test_key');
});

test('a link opens the checkout at once, where there is one', () => {
  expect(printed([])).toContain(`Checkout       ${LINK}`);
  expect(printed([], null)).not.toContain('Checkout');
});
