/** Business time in the browser: the server's, and how long ago it said it. A wrong clock does no harm. */
export class PageClock {
  private told_ms = 0;
  private told_at = 0;

  /** The server has just said that it is this time. */
  tell(now: string): void {
    this.told_ms = Date.parse(now);
    this.told_at = performance.now();
  }

  now(): number {
    return this.told_ms + performance.now() - this.told_at;
  }
}
