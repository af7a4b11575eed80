import { evolveMerchant, UNKNOWN_MERCHANT, type MerchantEvent } from './merchant';
import history from './recorded/merchant-v1.json';

const recorded = history as readonly unknown[] as readonly MerchantEvent[];
const [registered] = recorded;

test('a recorded history of version 1 folds as it did', () => {
  expect(recorded.reduce(evolveMerchant, UNKNOWN_MERCHANT)).toEqual({
    ...registered?.data,
    status: 'registered',
    keys: {
      key_0000000000000000000001: {
        id: 'key_0000000000000000000001',
        mode: 'test',
        name: null,
        hash: '11',
        is_active: false,
        created_at: '2026-01-01T00:00:00.000Z',
      },
      key_0000000000000000000002: {
        id: 'key_0000000000000000000002',
        mode: 'test',
        name: null,
        hash: '22',
        is_active: true,
        created_at: '2026-01-02T00:00:00.000Z',
      },
    },
  });
});
