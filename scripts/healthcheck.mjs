// node scripts/healthcheck.mjs [URL]: exit code 0 when the program of this container answers that it is well, or, where
// it answers only who shows a certificate, listens.
import { connect } from 'node:net';

const port = Number(process.env.PORT || 8080);
const url = process.argv[2] ?? `http://127.0.0.1:${port}/healthz`;
const isWell = process.env.SIGNER_TLS_CERT ? listens() : answers();
process.exitCode = (await isWell.catch(() => false)) ? 0 : 1;

async function answers() {
  return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
}

function listens() {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: process.env.HOST || '127.0.0.1', timeout: 3_000 }, () => resolve(true));
    for (const event of ['error', 'timeout']) socket.once(event, reject);
    socket.once('connect', () => socket.destroy());
  });
}
