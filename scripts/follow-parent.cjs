// Ends when its parent has died, in order if it can. npm puts a shell between itself and its script, which
// does not pass a signal on: when the shell or the npm above it has gone, nothing else would end the program.
const fs = require('node:fs');

const LOOK_EVERY_MS = 1_000;
const GRACE_MS = 8_000;
const parent = process.ppid;
const aboveShell = isShell(parent) ? parentOf(parent) : null;

const timer = setInterval(() => {
  const orphaned = process.ppid !== parent;
  const shellOrphaned = aboveShell !== null && parentOf(parent) !== aboveShell;
  if (!orphaned && !shellOrphaned) return;
  clearInterval(timer);
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
}, LOOK_EVERY_MS).unref();

function isShell(pid) {
  try {
    return /^(?:sh|dash|bash)$/.test(fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  } catch {
    return false;
  }
}

function parentOf(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
