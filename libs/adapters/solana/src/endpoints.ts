import { NetworkRefused, Unavailable, type Chain, type Log } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { EndpointFailure, RpcError, type RpcEndpoint } from './rpc-endpoint';
import { LAG_SLOTS_MAX, slotOf } from './told-slots';

/** While another node is left to be asked, a request waits so long at most, or its share of the whole deadline. */
const SHARE_MS_MIN = 3_000;
/** A node that does not say its slot in that time is not waited for. */
const SLOT_DEADLINE_MS = 2_000;
/** How often the nodes' slots are compared, when there is more than one. */
const COMPARE_EVERY_MS = 10_000;
/** Of what must not be believed of one node alone. */
const WITNESSES_MIN = 2;
const REST_MS_MIN = 250;
const REST_MS_MAX = 30_000;
/** A node of another network is asked again whether it still is one. */
const WRONG_GENESIS_REST_MS = 30_000;
/** Node is behind, or does not have the block yet: a fault of the node, not of the request. */
const BEHIND_CODES: ReadonlySet<number> = new Set([-32004, -32005, -32014, -32016]);
/** The node failed inside, with a request that another one may answer. */
const INTERNAL_ERROR = -32603;

const isBehind = (error: unknown): boolean =>
  error instanceof RpcError && BEHIND_CODES.has(error.code);

interface State {
  readonly endpoint: RpcEndpoint;
  readonly index: number;
  failures: number;
  /** Wall time. */
  rests_until: number;
  genesis_seen: boolean;
  /** Why its network must not be used, by its last answer; null where it may. */
  refused: string | null;
  slot: number;
  lags: boolean;
}

/** What the genesis hash of a node means: its network, or why that network must not be used and the way out. */
export type Admission = { readonly network: Chain['network'] } | { readonly refused: string };

export interface EndpointsOptions {
  readonly endpoints: readonly RpcEndpoint[];
  readonly commitment: string;
  /** What the network is called where nothing else says it. */
  readonly network: Chain['network'];
  /** Null: the network that the first node names is the one. */
  readonly expectedGenesis: string | null;
  /** Absent: any network is taken. */
  readonly admit?: ((genesis_hash: string) => Admission) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** `told_slot`: what the node last said to be its newest slot; 0 where it was not asked. */
type Work<Result> = (endpoint: RpcEndpoint, told_slot: number) => Promise<Result>;

/**
 * Several nodes of one network, used as one: a node that fails, lags or is told to wait rests for a
 * while, longer each time; one that belongs to another network is never read.
 */
export class Endpoints {
  private readonly states: readonly State[];
  private expected: string | null;
  private named: Chain['network'] | null = null;
  private compared_at = 0;

  constructor(private readonly options: EndpointsOptions) {
    this.expected = options.expectedGenesis;
    this.states = options.endpoints.map((endpoint, index) => ({
      endpoint,
      index,
      failures: 0,
      rests_until: 0,
      genesis_seen: false,
      refused: null,
      slot: 0,
      lags: false,
    }));
  }

  /** The network that the nodes belong to; null before one of them was admitted. */
  get network(): Chain['network'] | null {
    return this.named;
  }

  /** Why no node may be used; null where one may, or none has said yet. */
  get refused(): string | null {
    if (this.states.some(({ genesis_seen }) => genesis_seen)) return null;
    return this.states.find(({ refused }) => refused !== null)?.refused ?? null;
  }

  /** Known once a node was reached. */
  async genesisHash(): Promise<string> {
    return this.use(async () => this.expected as string);
  }

  /** Runs `work` on the best node, on the next one where it fails. Throws `Unavailable` when all do. */
  async use<Result>(work: Work<Result>): Promise<Result> {
    await this.compare();
    let reason = 'every endpoint rests after failures';
    const awake = this.states
      .filter(({ rests_until }) => rests_until <= this.options.clock.wall())
      .sort((one, other) => Number(one.lags) - Number(other.lags) || one.failures - other.failures);
    for (const [index, state] of awake.entries()) {
      const endpoint = withShare(state.endpoint, awake.length - index);
      try {
        await this.checkGenesis(state, endpoint);
        const result = await work(endpoint, state.slot);
        state.failures = 0;
        return result;
      } catch (error) {
        if (!this.isNodeFault(error)) throw error;
        this.rest(state, error);
        reason = `${state.endpoint.name}: ${(error as Error).message}`;
      }
    }
    const { refused } = this;
    throw refused === null ? new Unavailable('the chain', { reason }) : new NetworkRefused(refused);
  }

  /**
   * Runs `work` on every node and answers what each of them says. One that rests or fails says nothing; throws
   * `Unavailable` where fewer than two say something, unless there is only one.
   */
  async each<Result>(work: Work<Result>): Promise<readonly Result[]> {
    let reason = 'every endpoint rests after failures';
    const wall = this.options.clock.wall();
    const awake = this.states.filter(({ rests_until }) => rests_until <= wall);
    const told = await Promise.all(
      awake.map(async (state) => {
        try {
          await this.checkGenesis(state, state.endpoint);
          return [await work(state.endpoint, state.slot)];
        } catch (error) {
          if (!(error instanceof RpcError || error instanceof EndpointFailure)) throw error;
          if (this.isNodeFault(error)) this.rest(state, error);
          reason = `${state.endpoint.name}: ${error.message}`;
          return [];
        }
      }),
    );
    const results = told.flat();
    if (results.length >= Math.min(WITNESSES_MIN, this.states.length)) return results;
    throw new Unavailable('the chain', { reason });
  }

  async close(): Promise<void> {
    await Promise.all(this.states.map(({ endpoint }) => endpoint.close()));
  }

  private isNodeFault(error: unknown): error is EndpointFailure | RpcError {
    if (error instanceof RpcError) return isBehind(error) || error.code === INTERNAL_ERROR;
    return error instanceof EndpointFailure;
  }

  private rest(state: State, error: EndpointFailure | RpcError): void {
    const asked = error instanceof EndpointFailure ? error.retry_after_ms : null;
    const doubled = Math.min(REST_MS_MAX, REST_MS_MIN * 2 ** Math.min(state.failures, 10));
    // Spread by golden ratio, so that nodes that failed together do not come back together.
    const spread = 0.75 + (((state.failures + state.index) * 0.618) % 1) / 2;
    state.failures += 1;
    // A block that the node does not have yet is a reason to ask another one, if there is another.
    const behind = this.states.length > 1 ? REST_MS_MIN : 0;
    const rest = isBehind(error) ? behind : doubled * spread;
    state.rests_until = this.options.clock.wall() + (asked ?? rest);
    // The connection may come back to another ledger.
    if (error instanceof EndpointFailure) state.genesis_seen = false;
    if (rest === 0) return;
    this.options.log.warn(
      { endpoint: state.endpoint.name, failures: state.failures, reason: error.message },
      'chain endpoint rests',
    );
  }

  private async checkGenesis(state: State, endpoint: RpcEndpoint): Promise<void> {
    if (state.genesis_seen) return;
    const genesis = await endpoint.call<string>('getGenesisHash', []);
    const admission = this.admissionOf(genesis);
    if ('refused' in admission) {
      const { refused } = admission;
      state.refused = refused;
      this.options.log.error(
        { endpoint: state.endpoint.name, genesis, refused },
        'chain endpoint belongs to another network and is not used',
      );
      throw new EndpointFailure(refused, WRONG_GENESIS_REST_MS);
    }
    this.expected = genesis;
    this.named = admission.network;
    state.refused = null;
    state.genesis_seen = true;
  }

  private admissionOf(genesis: string): Admission {
    const admission = this.options.admit?.(genesis) ?? { network: this.options.network };
    if ('refused' in admission || this.expected === null || genesis === this.expected) return admission;
    const way_out = 'name a node of that one again, or start the program anew if this one is meant';
    return { refused: `the chain is ${genesis}, not ${this.expected}: ${way_out}` };
  }

  private async compare(): Promise<void> {
    const wall = this.options.clock.wall();
    if (this.states.length < 2 || wall - this.compared_at < COMPARE_EVERY_MS) return;
    this.compared_at = wall;
    // One that rests is compared once it is asked again.
    const awake = this.states.filter(({ rests_until }) => rests_until <= wall);
    const failed = new Map<State, EndpointFailure | RpcError>();
    await Promise.all(
      awake.map(async (state) => {
        const fault = await this.readSlot(state);
        if (fault) failed.set(state, fault);
      }),
    );
    const best = Math.max(...this.states.map(({ slot }) => slot));
    for (const state of this.states) state.lags = state.slot < best - LAG_SLOTS_MAX;
    // Where none has answered, each is asked nevertheless.
    if (failed.size < awake.length) for (const [state, fault] of failed) this.rest(state, fault);
  }

  /** Answers the node's fault where it does not say its slot. */
  private async readSlot(state: State): Promise<EndpointFailure | RpcError | null> {
    const { commitment } = this.options;
    try {
      const endpoint = state.endpoint.within(SLOT_DEADLINE_MS);
      state.slot = slotOf(await endpoint.call('getSlot', [{ commitment }]));
      return null;
    } catch (error) {
      state.slot = 0;
      return this.isNodeFault(error) ? error : null;
    }
  }
}

/** The last one that is left has the whole time: a slow node is better than none. */
function withShare(endpoint: RpcEndpoint, left: number): RpcEndpoint {
  if (left === 1) return endpoint;
  return endpoint.within(Math.max(SHARE_MS_MIN, endpoint.deadline_ms / left));
}
