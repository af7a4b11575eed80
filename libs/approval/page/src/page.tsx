import type { ComponentChildren } from 'preact';
import { KitDone, NewKit, NewPasskey, OpenKit, PasskeyDone, Ways } from './screens/adding';
import { KitAlone, Opening, Passphrase, Trouble, Welcome } from './screens/beginning';
import { Done, Making, Save } from './screens/making';
import { Frame, type ScreenProps } from './screens/parts';
import { stepOf, STEPS_COUNT, type StateName } from './view';

/** The whole page, in any state. */
export function Page(props: ScreenProps) {
  const { view, words } = props;
  const step = stepOf(view);
  const { state, setup } = view;
  const header = setup && (
    <header>
      <p class="merchant">{words.of(setup.merchant_name)}</p>
      {step !== null && <p class="step">{words.step(step, STEPS_COUNT)}</p>}
    </header>
  );
  return <Frame {...props} header={header}>{SCREENS[state](props)}</Frame>;
}

const SCREENS: Readonly<Record<StateName, (props: ScreenProps) => ComponentChildren>> = {
  opening: Opening,
  'no link': Trouble,
  unknown: Trouble,
  used: Trouble,
  expired: Trouble,
  'by key': Trouble,
  'no passkeys': Trouble,
  offline: Trouble,
  welcome: Welcome,
  passphrase: Passphrase,
  'kit alone': KitAlone,
  making: Making,
  save: Save,
  done: Done,
  ways: Ways,
  'open kit': OpenKit,
  'new passkey': NewPasskey,
  'passkey done': PasskeyDone,
  'new kit': NewKit,
  'kit done': KitDone,
};
