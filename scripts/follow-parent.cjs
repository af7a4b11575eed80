// Dies with its parent, the hard way: what starts next expects a crash and finds nobody in its place.
// npm puts a shell between itself and its script; then the shell's parent counts as well.
const fs = require('node:fs');

const LOOK_EVERY_MS = 200;
const parent = process.ppid;
const aboveShell = isShell(parent) ? parentOf(parent) : null;

setInterval(() => {
  const orphaned = process.ppid !== parent;
  const shellOrphaned = aboveShell !== null && parentOf(parent) !== aboveShell;
  if (orphaned || shellOrphaned) process.kill(process.pid, 'SIGKILL');
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
