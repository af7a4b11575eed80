import { runUntilStopped } from '../service/run-until-stopped';

// A program whose end never comes, for a test to stop.
const awake = setInterval(() => undefined, 1_000);
void runUntilStopped(
  'stuck',
  async () => ({ stop: () => new Promise<void>(() => awake.ref()) }),
  async () => void process.stdout.write('serves\n'),
  50,
);
