// node scripts/healthcheck.mjs [URL]: exit code 0 when the program of this container answers that it is well.
const url = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 8080}/healthz`;
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) });
  process.exitCode = answer.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
