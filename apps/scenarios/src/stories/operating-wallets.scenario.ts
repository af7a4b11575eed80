/**
 * @landing embedded
 * @runs embedded postgres
 * @program own
 */
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { RUN } from '../harness/running-program';

const SIGNERS = ['signer-a', 'signer-b'];
let program: Program;

beforeAll(async () => {
  program = await Program.start();
});
afterAll(() => program.discard());

interface OperatingWallet {
  readonly address: string;
  /** Of A, B and R, in the roster that all three have signed. */
  readonly identity_keys: readonly string[];
}

async function walletOf({ api }: Merchant): Promise<OperatingWallet> {
  const shown = () => api.get('/api/v1/merchants/me/wallet');
  const { json } = await eventually(shown, ({ json: wallet }) => wallet.operating_wallet_address);
  const { wallet, parties } = json.roster.roster;
  expect(wallet).toBe(json.operating_wallet_address);
  const identity_keys = parties.map((party: { identity_key: string }) => party.identity_key);
  return { address: wallet, identity_keys };
}

test('a wallet is made by three parties, and stays what it is when the signers and the program are killed', async () => {
  const merchant = await newMerchant(program);
  // Where one program starts all, it starts the signers when the first is asked, and from then on with itself.
  expect(SIGNERS.map((signer) => program.hasServed(signer))).toEqual(SIGNERS.map(() => RUN !== 'embedded'));
  const wallet = await walletOf(merchant);

  const pidsOfSigners = () => SIGNERS.map((signer) => program.pidOf(signer));
  const pids = pidsOfSigners();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await eventually(async () => program.deathsOf(SIGNERS), (count) => count >= 2);
  await program.untilAllServe();
  const second_pids = pidsOfSigners();
  for (const pid of second_pids) expect(pids).not.toContain(pid);
  expect(await walletOf(merchant)).toEqual(wallet);
  const second = await walletOf(await newMerchant(program));

  await program.kill();
  await program.start();
  for (const pid of pidsOfSigners()) expect(second_pids).not.toContain(pid);
  expect(await walletOf(merchant)).toEqual(wallet);
  const third = await walletOf(await newMerchant(program));

  const all = [wallet, second, third];
  expect(new Set(all.map(({ address }) => address)).size).toBe(3);
  const signers = all.map(({ identity_keys: [a, b] }) => [a, b]);
  expect(signers).toEqual([signers[0], signers[0], signers[0]]);
  // The party of disasters is another one each time, and is no more.
  expect(new Set(all.map(({ identity_keys }) => identity_keys[2])).size).toBe(3);
});
