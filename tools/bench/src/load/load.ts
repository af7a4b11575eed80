import path from 'node:path';
import { Child } from '../child';
import type { LoadResult, LoadSpec } from './load-spec';

/** The load generator: one process for the whole run, the same for both sides. */
export class Load {
  private readonly child = Child.start(path.join(__dirname, 'load-child.js'));

  run(spec: LoadSpec): Promise<LoadResult> {
    return this.child.ask<LoadResult>(spec);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
