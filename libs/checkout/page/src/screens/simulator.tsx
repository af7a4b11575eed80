import { SCENARIOS } from '../actions';
import { paymentOf, stateOf } from '../view';
import { Button, type ScreenProps } from './parts';

/** What may happen to a payment, one press away; in test mode on a local chain only. */
export function Simulator({ view, words, actions }: ScreenProps) {
  const payment = paymentOf(view);
  const is_open = payment?.status === 'pending' || payment?.status === 'expired';
  if (!view.page.simulator || !payment || !is_open) return null;
  const is_late = payment.status === 'expired' || view.now >= Date.parse(payment.expires_at);
  const offered = is_late ? SCENARIOS.filter((one) => one === 'pay') : SCENARIOS;
  return (
    <details class="simulator" open={stateOf(view) === 'qr' || undefined}>
      <summary>{words.simulator}</summary>
      <div>
        {offered.map((one) => (
          <Button key={one} onPress={() => actions.simulate(one)} waits={view.waiting}>
            {one === 'pay' && is_late ? words.simulate.pay_late : words.simulate[one]}
          </Button>
        ))}
        {!is_late && (
          <Button onPress={actions.simulateChainDown}>{words.simulate.chain_down}</Button>
        )}
      </div>
      {!is_late && <p>{words.simulate_late}</p>}
    </details>
  );
}
