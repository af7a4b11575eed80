/**
 * @landing postgres
 * @runs postgres eventstore
 * @program own
 */
import { check, History } from '../harness/checker';
import { eventually } from '../harness/eventually';
import { Load, settle } from '../harness/load';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';

let program: Program;
let receiver: Receiver;
let merchant: Merchant;
const history = new History();

beforeAll(async () => {
  receiver = await Receiver.start();
  program = await Program.start();
  merchant = await newMerchant(program, { webhook_url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  await program.discard();
});

test.each(['stop', 'kill'] as const)(
  'Postgres comes back after a %s under load, and nobody has to do anything',
  async (how) => {
    const load = new Load({ merchant, history, name: how });
    await load.served(3);
    await program.let('postgres', how);
    // Without it a write is told to come again, or nothing: a process that cannot renew its lease ends.
    await eventually(async () => load.outcomes.at(-1), (last) => last !== 200);
    await program.let('postgres', 'start');
    await load.served(3);
    await load.stop();
    await settle(program, merchant);
    await check(program, merchant, receiver, history);
  },
);
