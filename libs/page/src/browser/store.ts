/** The one view of a page, and what draws it. */
export class Store<View> {
  private drawn: (view: View) => void = () => undefined;

  constructor(private now: View) {}

  get view(): View {
    return this.now;
  }

  set(change: Partial<View>): void {
    this.now = { ...this.now, ...change };
    this.drawn(this.now);
  }

  draw(drawn: (view: View) => void): void {
    this.drawn = drawn;
    drawn(this.now);
  }
}
