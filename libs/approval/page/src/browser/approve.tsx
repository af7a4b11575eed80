import { Store } from '@tender/page/browser';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApproveActions } from '../approve/actions';
import { ApprovePage } from '../approve/page';
import type { ApprovePageData } from '../approve/page-data';
import { firstApproveView, type ApproveView } from '../approve/view';
import { APPROVE_WORDS } from '../approve/words/words';
import { PAGE_DATA_ID } from '../page-data';
import { Approving } from './approving';

const told = document.getElementById(PAGE_DATA_ID)?.textContent ?? '';
const { language, openers } = JSON.parse(told) as ApprovePageData;
const store = new Store<ApproveView>(firstApproveView(language));
const approving = new Approving(store, openers);

const actions: ApproveActions = {
  speak(to) {
    document.documentElement.lang = to;
    document.title = APPROVE_WORDS[to].title;
    store.set({ language: to });
  },
  approve: () => void approving.approve(),
  copy: () => void approving.copy(),
};

function App() {
  const [view, draw] = useState<ApproveView>(store.view);
  useEffect(() => store.draw(draw), []);
  const { state } = view;
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state) document.querySelector<HTMLElement>('h1')?.focus();
    before.current = state;
  }, [state]);
  return <ApprovePage view={view} words={APPROVE_WORDS[view.language]} actions={actions} />;
}

// Another request opened in the same tab changes the fragment alone.
addEventListener('hashchange', () => location.reload());

const root = document.getElementById('page');
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
approving.open(location.hash.slice(1));
