import type { ChildRun, Kept } from '@tender/eventing';

/** Something that the services need, and a test may make fail. */
export interface Part {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Of a double: replaces the faults that are in force. */
  misbehave?(faults: object): Promise<void>;
}

/** What the program that started this one may ask: tests make parts fail. */
export interface PartCommand {
  /** The answer names it. */
  readonly id: number;
  readonly part: string;
  readonly command: 'start' | 'stop' | 'kill' | 'pause' | 'resume' | 'misbehave';
  readonly faults?: object;
}

/** A part that is one process. */
export const processPart = (name: string, kept: Kept): Part => ({
  start: () => kept.start(),
  stop: () => kept.stop(),
  kill: () => kept.kill(),
  signal(signal) {
    const { pid } = kept.current;
    if (pid === null) throw new Error(`${name} is not a process of ours`);
    process.kill(pid, signal);
  },
});

/** The same of a double. */
export const doublePart = (
  name: string,
  kept: Kept<ChildRun & { misbehave(faults: object): Promise<void> }>,
): Part => ({ ...processPart(name, kept), misbehave: (faults) => kept.current.misbehave(faults) });

/** Throws for what the part cannot do. */
async function obey(part: Part | null | undefined, said: PartCommand): Promise<void> {
  if (!part) throw new Error(`there is no ${said.part}`);
  switch (said.command) {
    case 'pause':
      return part.signal('SIGSTOP');
    case 'resume':
      return part.signal('SIGCONT');
    case 'misbehave':
      if (!part.misbehave) throw new Error(`${said.part} cannot misbehave`);
      return part.misbehave(said.faults ?? {});
    default:
      return part[said.command]();
  }
}

/** Lets the parent process alone command the parts. Each command is answered when it is done. */
export function obeyParent(parts: Readonly<Record<string, Part | null>>): void {
  if (!process.send) return;
  process.on('message', (command: PartCommand) => {
    const { id, part } = command;
    obey(parts[part], command).then(
      () => process.send?.({ type: 'done', id }),
      (error: Error) => process.send?.({ type: 'done', id, error: error.message }),
    );
  });
}
