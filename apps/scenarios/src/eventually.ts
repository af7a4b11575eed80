/** Asks until `holds` of the answer; the last answer is in the error. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  wait_ms = 30_000,
): Promise<Value> {
  const deadline = Date.now() + wait_ms;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > deadline) {
      throw new Error(`did not come true within ${wait_ms} ms: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
