import { LoadRun } from './load-run';
import type { LoadSpec } from './load-spec';

// The load has a process of its own, so that counting answers does not slow the counted.
process.on('message', (spec: LoadSpec) => {
  new LoadRun(spec).run().then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
