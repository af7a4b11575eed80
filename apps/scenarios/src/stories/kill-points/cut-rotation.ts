import { expect } from '@jest/globals';
import { eventually } from '../../harness/eventually';
import { newMerchant } from '../../harness/merchants';
import { Person } from '../../harness/person';
import type { Program } from '../../harness/program';

interface Key {
  readonly id: string;
  readonly is_active: boolean;
}

/** K16: the program, which has faults, dies when a rotation is recorded and not answered; its owner rotates again. */
export async function cutRotationIsMadeAgain(program: Program): Promise<void> {
  const merchant = await newMerchant(program);
  const owner = await Person.signIn(program, merchant.email);
  const [{ id }] = (await merchant.api.get('/api/v1/keys')).json as [Key];

  await program.strike(['gateway'], 'append.after@merchant');
  const cut = await merchant.api.once().post(`/api/v1/keys/${id}/rotate`).catch(() => null);
  expect(cut?.status).not.toBe(200);
  await program.rises();

  // The old key is dead, and no answer has shown its new text.
  expect((await merchant.api.get('/api/v1/keys')).status).toBe(401);
  const listed = await eventually(
    () => owner.get('/api/v1/keys'),
    ({ json }) => json.length === 2,
  );
  const keys = listed.json as Key[];
  expect(keys.map(({ is_active }) => is_active)).toEqual([true, false]);
  expect(keys[1]?.id).toBe(id);
  const again = await owner.post(`/api/v1/keys/${keys[0]?.id}/rotate`);
  expect([again.status, again.json.old_key_id]).toEqual([200, keys[0]?.id]);
  const fresh = program.client(again.json.new_key);
  const active = (await fresh.get('/api/v1/keys')).json.filter((key: Key) => key.is_active);
  expect(active).toMatchObject([{ id: again.json.new_key_id }]);
}
