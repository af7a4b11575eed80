/** How long a test waits for a condition that should soon hold: it ends what hangs, not what is slow. */
export const PATIENCE_MS = 180_000;
const LOOK_EVERY_MS = 20;

/** Asks until `holds` of the answer; the last answer is in the error. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  patience_ms = PATIENCE_MS,
): Promise<Value> {
  const deadline = Date.now() + patience_ms;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > deadline) {
      throw new Error(`did not come true within ${patience_ms} ms: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
