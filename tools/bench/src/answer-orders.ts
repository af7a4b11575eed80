/**
 * The other side of `Child.ask`: answers each order with what `work` makes of it, or with why it failed. The process
 * ends with the bench.
 */
export function answerOrders<Order>(work: (order: Order) => Promise<unknown>): void {
  process.on('message', (order: Order) => {
    work(order).then(
      (result) => process.send?.({ result }),
      (error: unknown) => {
        process.send?.({ failure: error instanceof Error ? error.stack : String(error) });
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
}
