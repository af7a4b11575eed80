import { FlagFault, readFlags } from './flags';

test('a quick run is shorter in every way', () => {
  const [full, quick] = [readFlags([]), readFlags(['--quick'])];
  expect(quick.rounds).toBeLessThan(full.rounds);
  expect(quick.timed_ms).toBeLessThan(full.timed_ms);
  expect(quick.warmup_ms).toBeLessThan(full.warmup_ms);
});

test('as many subscriptions as a scenario takes, unless told', () => {
  expect(readFlags([]).subscriptions).toBeNull();
  expect(readFlags(['--subscriptions', '200']).subscriptions).toBe(200);
});

test('a flag wins over both', () => {
  const flags = readFlags(['--quick', '--rounds', '3', '--sec', '2.5', '--only', 'append,boot']);
  expect(flags).toMatchObject({ rounds: 3, timed_ms: 2500, only: ['append', 'boot'] });
});

test.each([[['--rounds', '0']], [['--sec', 'long']], [['--fast']], [['--subscriptions', '0']]])('%j is refused', (args) => {
  expect(() => readFlags(args)).toThrow(FlagFault);
});
