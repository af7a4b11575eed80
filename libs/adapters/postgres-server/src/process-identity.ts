import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** When a process began, as the system words it; null when there is no such process (or only its remains). */
export function startOf(pid: number): string | null {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

/** The name of a process's program; null when it is gone. */
export function programOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    const path = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
    return path.trim().split('/').at(-1) ?? null;
  } catch {
    return null;
  }
}

function startFromProc(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name stands in parentheses and may hold anything, also parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' ? null : (startTicks ?? null);
  } catch {
    return null;
  }
}

function startFromPs(pid: number): string | null {
  try {
    const args = ['-o', 'lstart=', '-p', String(pid)];
    return execFileSync('ps', args, { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
