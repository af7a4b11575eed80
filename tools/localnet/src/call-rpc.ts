/** An error that the chain answered with. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/**
 * One JSON-RPC call, control methods included, which client libraries do not know:
 * `callRpc(rpc_url, 'localnet_advance', { to_unix_seconds })`. Rejects with an `RpcFailure`.
 */
export async function callRpc<Result = unknown>(
  rpcUrl: string,
  method: string,
  ...params: readonly unknown[]
): Promise<Result> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as {
    result: Result;
    error?: { code: number; message: string; data?: unknown };
  };
  if (answer.error) {
    throw new RpcFailure(answer.error.code, answer.error.message, answer.error.data);
  }
  return answer.result;
}
