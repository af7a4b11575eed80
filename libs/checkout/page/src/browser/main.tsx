import { hydrate } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Wallet } from '@wallet-standard/base';
import type { Actions } from '../actions';
import { Page } from '../page';
import { firstView, stateOf, type View } from '../view';
import { WORDS } from '../words/words';
import { actionsOf } from './act';
import { ownPageData } from './loaded-page';
import { handInKept } from './hand-in';
import { Store } from './store';
import { Visit } from './visit';
import { watchWallets } from './wallets';

interface AppProps {
  readonly store: Store;
  readonly actions: Actions;
}

function App({ store, actions }: AppProps) {
  const [view, draw] = useState<View>(store.view);
  useEffect(() => store.draw(draw), [store]);
  const state = stateOf(view);
  const { malformed } = view;
  const before = useRef(state);
  useEffect(() => {
    // The first step comes by itself: focus stays where the customer has it.
    const is_step = before.current !== state && before.current !== 'shell';
    before.current = state;
    if (is_step) document.querySelector<HTMLElement>('h1')?.focus();
    if (malformed.length > 0) document.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [state, malformed]);
  return <Page view={view} words={WORDS[view.language]} actions={actions} />;
}

const root = document.getElementById('page');
const store = new Store(firstView(ownPageData()));
const visit = new Visit(store);
let wallets: readonly Wallet[] = [];
if (root) hydrate(<App store={store} actions={actionsOf(visit, () => wallets)} />, root);
store.set({ touch: matchMedia('(pointer: coarse)').matches });
watchWallets((found) => {
  wallets = found;
  store.set({ wallets: found.map(({ name, icon }) => ({ name, icon })) });
});
// Once nothing is under way any more: the page may have been loaded while a payment was handed in.
visit.entered = () => void setTimeout(() => void handInKept(visit));
void visit.begin();
