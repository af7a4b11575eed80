// One eslint over all projects: a tenth of what one for each of them takes. The boundary rule reads nx's project graph,
// and skips itself and passes where there is none.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { environment, node24 } from './node24.mjs';
import { root } from './terminal.mjs';

const NO_GRAPH = 'No cached ProjectGraph is available';
const EVERYTHING = ['libs', 'apps', 'tools'];

/** `{ ok, output }`. */
export async function lint(folders = EVERYTHING) {
  const graph = await installed('nx', ['show', 'projects']);
  if (graph.code !== 0) return { ok: false, output: graph.output };
  const { code, output } = await installed('eslint', folders);
  if (output.includes(NO_GRAPH)) return { ok: false, output: 'lint: nx has made no project graph\n' };
  return { ok: code === 0, output };
}

function installed(program, args) {
  const env = environment({ NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: '0' });
  const path = join(root, 'node_modules', '.bin', program);
  const child = spawn(node24(), [path, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
