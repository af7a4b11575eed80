/** A running part as its starter hands it over. */
export interface RunningPart {
  /** Null when it is not a process of this machine that we have started. */
  readonly pid: number | null;
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Where it is more than one process. */
  signal?(name: NodeJS.Signals): void;
  /** Of a double: replaces the faults that are in force. */
  misbehave?(faults: object): Promise<void>;
}

/** What the program that started this one may ask: tests make parts fail. */
export interface PartCommand {
  /** The answer names it. */
  readonly id: number;
  readonly part: string;
  readonly command: 'stop' | 'kill' | 'start' | 'pause' | 'resume' | 'misbehave';
  readonly faults?: object;
}

/** Something that the services need, which can end and be started again at the same place. */
export class Part<Running extends RunningPart = RunningPart> {
  private constructor(
    private readonly begin: () => Promise<Running>,
    private running: Running,
    private runs = true,
  ) {}

  static async start<Running extends RunningPart>(
    begin: () => Promise<Running>,
  ): Promise<Part<Running>> {
    return new Part(begin, await begin());
  }

  /** As it was last started: where it can be found stays the same. */
  get current(): Running {
    return this.running;
  }

  async stop(): Promise<void> {
    if (!this.runs) return;
    this.runs = false;
    await this.running.stop();
  }

  /** Throws for what the part cannot do. */
  async obey({ part, command, faults = {} }: PartCommand): Promise<void> {
    switch (command) {
      case 'stop':
        return this.stop();
      case 'kill':
        this.runs = false;
        return this.running.kill();
      case 'start':
        this.running = await this.begin();
        this.runs = true;
        return undefined;
      case 'pause':
        return this.signal('SIGSTOP', part);
      case 'resume':
        return this.signal('SIGCONT', part);
      case 'misbehave':
        if (!this.running.misbehave) throw new Error(`${part} cannot misbehave`);
        return this.running.misbehave(faults);
    }
  }

  private signal(name: NodeJS.Signals, part: string): void {
    const { pid } = this.running;
    if (pid === null) throw new Error(`${part} is not a process of ours`);
    if (this.running.signal) this.running.signal(name);
    else process.kill(pid, name);
  }
}

/** Lets the parent process alone command the parts. Each command is answered when it is done. */
export function obeyParent(parts: Readonly<Record<string, Part | null>>): void {
  if (!process.send) return;
  process.on('message', (command: PartCommand) => {
    const { id, part } = command;
    const told = parts[part]?.obey(command) ?? Promise.reject(new Error(`there is no ${part}`));
    told.then(
      () => process.send?.({ type: 'done', id }),
      (error: Error) => process.send?.({ type: 'done', id, error: error.message }),
    );
  });
}
