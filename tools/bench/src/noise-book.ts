import { FOREIGN_MAX, listenForNoise, untilQuiet, type Noise } from './machine/noise';
import { median } from './statistics';

const REPEATS_MAX = 3;

/** What the rest of the machine did during the run, and what was repeated because of it. */
export class NoiseBook {
  private readonly shots: Noise[] = [];
  private repeats = 0;
  private noisy = false;

  /** A quick run waits less and repeats nothing. */
  constructor(private readonly quick: boolean) {}

  /**
   * Waits for quiet and runs one round. When others used more than 0.3 cores meanwhile the round is
   * dropped and run again, three times in a run; after that the run is marked noisy.
   */
  async round<Result>(work: () => Promise<Result>, say: (line: string) => void): Promise<Result> {
    for (;;) {
      await untilQuiet(this.quick ? 1_500 : 10_000);
      const listen = listenForNoise();
      const result = await work();
      const noise = listen();
      this.shots.push(noise);
      if (noise.foreign_cores <= FOREIGN_MAX) return result;
      const spent = this.quick || this.repeats === REPEATS_MAX;
      say(
        `    others used ${noise.foreign_cores.toFixed(2)} cores: ` +
          (spent ? 'kept, the run is noisy' : 'dropped, once more'),
      );
      if (spent) {
        this.noisy = true;
        return result;
      }
      this.repeats += 1;
    }
  }

  get isNoisy(): boolean {
    return this.noisy;
  }

  summary() {
    return {
      foreign_cores_median: this.shots.length
        ? median(this.shots.map(({ foreign_cores }) => foreign_cores))
        : 0,
      steal_max: Math.max(0, ...this.shots.map(({ steal }) => steal)),
      repeats: this.repeats,
      noisy: this.noisy,
    };
  }
}
