import { SCENARIOS } from '../actions';
import { hasEnded, paymentOf, stateOf, type View } from '../view';
import { Button, type ScreenProps } from './parts';

/** What may happen to a payment, one press away; in test mode on a local chain only. At a link the first begins one. */
export function Simulator({ view, words, actions }: ScreenProps) {
  if (!view.page.simulator || !takesMoney(view)) return null;
  const payment = paymentOf(view);
  const is_late =
    payment !== null && (payment.status === 'expired' || view.now >= Date.parse(payment.expires_at));
  return (
    <details class="simulator" open={stateOf(view) === 'qr' || undefined}>
      <summary>{words.simulator}</summary>
      <div>
        {!is_late && SCENARIOS.map((one) => (
          <Button key={one} onPress={() => actions.simulate(one)} waits={view.waiting}>
            {words.simulate[one]}
          </Button>
        ))}
        <Button
          key="late"
          onPress={() => (is_late ? actions.simulate('pay') : actions.simulateLate())}
          waits={view.waiting || (view.pays_late && !is_late)}
        >
          {words.simulate.pay_late}
        </Button>
        {!is_late && (
          <Button onPress={actions.simulateChainDown}>{words.simulate.chain_down}</Button>
        )}
      </div>
      {view.pays_late && <p role="status">{words.simulate_late}</p>}
    </details>
  );
}

function takesMoney(view: View): boolean {
  const { shown } = view.page;
  if (shown?.kind !== 'payment') return shown?.status === 'active' && !hasEnded(stateOf(view));
  return shown.status === 'pending' || shown.status === 'expired';
}
