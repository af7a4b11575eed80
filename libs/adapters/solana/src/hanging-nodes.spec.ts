import { Endpoints } from './endpoints';
import { EndpointFailure, type RpcEndpoint } from './rpc-endpoint';

const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
const WHOLE_MS = 15_000;
let wall = 1_000_000;

/** A node that hangs: only who gives it less than the whole time gets on. `waited` has what it was given. */
function hangingNode(waited: number[], deadline_ms = WHOLE_MS): RpcEndpoint {
  const call = (): Promise<never> => {
    waited.push(deadline_ms);
    if (deadline_ms >= WHOLE_MS) return new Promise(() => undefined);
    return Promise.reject(new EndpointFailure('it hangs'));
  };
  return {
    ...{ name: 'hangs', deadline_ms, call, batch: call, raw: call },
    within: (share_ms) => hangingNode(waited, share_ms),
    close: async () => undefined,
  };
}

function servingNode(given: number[], deadline_ms = WHOLE_MS): RpcEndpoint {
  const call = (method: string): Promise<never> => {
    if (method === 'asked') given.push(deadline_ms);
    return Promise.resolve((method === 'getGenesisHash' ? 'genesis' : 7) as never);
  };
  return {
    ...hangingNode([]),
    ...{ name: 'serves', deadline_ms, call },
    within: (share_ms) => servingNode(given, share_ms),
  };
}

const nodesOf = (...endpoints: readonly RpcEndpoint[]) =>
  new Endpoints({
    ...{ endpoints, network: 'localnet', commitment: 'confirmed', expectedGenesis: null, log: silentLog },
    clock: { now: () => wall, wall: () => wall },
  });

test('a node that hangs costs a request its share of the time, and the next requests nothing', async () => {
  const [waited, given]: [number[], number[]] = [[], []];
  const nodes = nodesOf(hangingNode(waited), servingNode(given));
  expect(await nodes.use((node) => node.call('asked', []))).toBe(7);
  const asked = waited.length;
  expect(await nodes.use((node) => node.call('asked', []))).toBe(7);
  expect(waited).toHaveLength(asked);
  expect(Math.max(...waited)).toBeLessThan(WHOLE_MS);
});

test('a node that begins to hang after it was found well costs no request its whole time', async () => {
  const [waited, given]: [number[], number[]] = [[], []];
  const first = servingNode([]);
  let hangs = false;
  const turning = (deadline_ms: number): RpcEndpoint => ({
    ...first,
    deadline_ms,
    call: (method) => (hangs ? hangingNode(waited, deadline_ms) : first).call(method, []),
    within: turning,
  });
  const nodes = nodesOf(turning(WHOLE_MS), servingNode(given));
  await nodes.use((node) => node.call('asked', []));
  expect(given).toEqual([]);
  hangs = true;
  expect(await nodes.use((node) => node.call('asked', []))).toBe(7);
  expect(waited).toEqual([WHOLE_MS / 2]);
  // No node is left to be asked after the last one: it has the whole time.
  expect(given).toEqual([WHOLE_MS]);
  // It comes back, and is asked when the other one fails.
  hangs = false;
  wall += 60_000;
  const answer = nodes.use((node) =>
    node.name === 'serves' && given.push(0) === 2
      ? Promise.reject(new EndpointFailure('fails'))
      : node.call<number>('asked', []),
  );
  expect(await answer).toBe(7);
});
