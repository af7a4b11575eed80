import type { StoredEvent } from '@tender/eventing';
import history from '../../domain/src/recorded/merchant-v1.json';
import { publishAccounts } from './publish-accounts';

const said = (history as readonly unknown[] as readonly StoredEvent[]).map(publishAccounts);

// Public events of version 1 never change: a difference here breaks somebody's consumer.
test('a sign-up is told without personal data, keys are not told', () => {
  expect(said).toEqual([
    {
      type: 'accounts.merchant-registered.v1',
      merchant_id: '8d8e8f90-9192-8394-9596-979899a0a1a2',
      data: {
        merchant_id: '8d8e8f90-9192-8394-9596-979899a0a1a2',
        wallet_address: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
        webhook_url: 'https://shop.example.com/hooks',
        created_at: '2026-01-01T00:00:00.000Z',
      },
    },
    null,
    null,
  ]);
});
