import { createHmac, hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addressSetting, describeTransfer, requestTransfer, serviceOf } from '@tender/contracts';
import type { RequestedTransfer, TransferSummary } from '@tender/contracts';
import { CALLS_PATH, INTERNAL_HEADER } from '@tender/eventing';
import { callRpc, type LocalnetNetworks } from '@tender/localnet';
import { associatedTokenAccount } from '@tender/transactions';
import pg from 'pg';
import { eventually } from './eventually';
import type { Program } from './program';

/** What runs in place of the gateway: it has what the gateway’s process was given, and keeps to no rule. */
export class HackedGateway {
  /** Into the database of the program, under the role of every service. */
  readonly sql: pg.Client;
  private readonly networks: LocalnetNetworks;

  private constructor(readonly env: Readonly<Record<string, string>>) {
    this.sql = new pg.Client({ connectionString: env['DATABASE_URL'] as string });
    this.networks = JSON.parse(readFileSync(env['LOCALNET'] as string, 'utf8')) as LocalnetNetworks;
  }

  static async in(program: Program): Promise<HackedGateway> {
    const gateway = new HackedGateway(environmentOf(program.pidOf('gateway')));
    await gateway.sql.connect();
    return gateway;
  }

  end(): Promise<void> {
    return this.sql.end();
  }

  /** Asks any service anything, as the secret that all share lets it. */
  async ask(question: string, input: object): Promise<unknown> {
    const command_id = randomUUID();
    // As the gateway itself asks again where a service was cut or busy: it is the same command.
    const ask = () => this.askOnce(question, input, command_id).catch(() => null);
    const answer = await eventually(ask, (given) => given !== null && given.status !== 503);
    if (answer?.status !== 200) throw new Error(`${question}: ${answer?.status} ${await answer?.text()}`);
    return answer.json();
  }

  private askOnce(question: string, input: object, command_id: string): Promise<Response> {
    const service = serviceOf(question.slice(0, question.indexOf('.')));
    const url = CALLS_PATH + question;
    const body = JSON.stringify(input);
    const asked = { mode: 'test', correlation_id: randomUUID(), command_id };
    const said = { said: { call: question, ...asked }, sealed_ms: Date.now() };
    const text = Buffer.from(JSON.stringify(said)).toString('base64url');
    const seal = createHmac('sha256', this.env['INTERNAL_SECRET'] as string)
      .update(`POST\n${url}\n${hash('sha256', body)}\n${text}`)
      .digest('base64url');
    return fetch(`${this.env[addressSetting(service)]}${url}`, {
      method: 'POST',
      headers: { [INTERNAL_HEADER]: `${text}.${seal}` },
      body,
    });
  }

  /** Has money leave a wallet, and tells what came of it once nothing more will. */
  async transfer(wanted: Omit<RequestedTransfer, 'transfer_id'>): Promise<TransferSummary> {
    const transfer_id = `hacked_${randomUUID()}`;
    await this.ask(requestTransfer.name, { ...wanted, transfer_id });
    const described = () =>
      this.ask(describeTransfer.name, { transfer_id }) as Promise<TransferSummary>;
    await eventually(described, ({ status }) => status !== 'pending');
    // What was sent is final at once: the story need not wait for it.
    await this.control('localnet_warpSlots', { slots: 40 });
    return eventually(described, ({ status }) => status === 'completed' || status === 'failed');
  }

  /** Of the local chain: no gateway has it elsewhere. */
  async control(method: string, input: object): Promise<void> {
    await callRpc(this.networks.test.rpc_url, method, input);
  }

  async usdcOf(address: string): Promise<bigint> {
    const { rpc_url, mints } = this.networks.test;
    const account = associatedTokenAccount(address, mints.USDC);
    const options = { encoding: 'base64', commitment: 'confirmed' };
    const { value } = (await callRpc(rpc_url, 'getAccountInfo', account, options)) as {
      value: { data: [string] } | null;
    };
    return value === null ? 0n : Buffer.from(value.data[0], 'base64').readBigUInt64LE(64);
  }
}

/** As the launcher has made it. */
export function environmentOf(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}
