/** One line on the log. What a client sends must not end the chain, so this is where such faults are seen. */
export function report(what: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`localnet: ${what}: ${reason.replace(/\s+/g, ' ')}\n`);
}
