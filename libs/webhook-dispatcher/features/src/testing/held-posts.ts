import type { Outbound, OutboundAnswer, OutboundRequest } from '@tender/eventing';

/** A post under way; the test lets it end. */
export interface HeldPost extends OutboundRequest {
  readonly end: () => void;
}

/** An outbound whose posts last until the test ends them, however slow it is: there is no time-out. */
export class HeldPosts implements Outbound {
  /** Every post so far. */
  readonly sent: HeldPost[] = [];
  readonly under_way = new Set<HeldPost>();
  /** Others are answered at once. */
  isHeld: (request: OutboundRequest) => boolean = () => true;

  /** `status`: what posts are answered from now on. */
  constructor(public status = 200) {}

  readonly refusal = (): Promise<null> => Promise.resolve(null);

  readonly post = (request: OutboundRequest): Promise<OutboundAnswer> =>
    new Promise((resolve) => {
      const end = (): void => {
        this.under_way.delete(post);
        resolve({ ...ANSWER, status: this.status });
      };
      const post: HeldPost = { ...request, end };
      this.sent.push(post);
      this.under_way.add(post);
      this.onPost();
      if (!this.isHeld(request)) end();
    });

  /** Looks at every moment that can be the fullest one. */
  onPost: () => void = () => undefined;

  /** Ends what is not held any more. */
  letGo(): void {
    for (const post of [...this.under_way]) if (!this.isHeld(post)) post.end();
  }

  to(url: string): number {
    return [...this.under_way].filter((post) => post.url === url).length;
  }
}

const ANSWER: Extract<OutboundAnswer, { ok: true }> = {
  ...{ ok: true, status: 200, body: Buffer.alloc(0), body_cut: false },
  ...{ retry_after: null, duration_ms: 1 },
};

/** Looks until it is so; what never comes to be ends with the time that jest gives a test. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}
