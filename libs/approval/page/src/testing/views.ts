import type { Language } from '@tender/page';
import { renderToString } from 'preact-render-to-string';
import type { Actions } from '../actions';
import { Page } from '../page';
import { firstView, type SetUp, type View } from '../view';
import { WORDS } from '../words/words';
import { h } from 'preact';

export const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

export const SET_UP: SetUp = {
  merchant_id: 'mer_11R0lrQrMbc1ysgvDodOvI',
  merchant_name: 'Corner Coffee',
  email: 'ada@corner.example',
  wallet_type: 'mpc_passkey',
  wallet_address: null,
  passkeys: [],
};
const KNOWN = { ...SET_UP, passkeys: [{ id: 'AQID', name: 'Phone' }] };
const READY = { ...KNOWN, wallet_address: WALLET };

const at = (change: Partial<View>): View => ({ ...firstView('en'), setup: SET_UP, ...change });
const before = (state: View['state']): View => ({ ...firstView('en'), state });
const kit = { name: `recovery-kit-${WALLET.slice(0, 8)}.json`, address: 'about:blank' };

/** Every screen that there is, by what it shows. */
export const VIEWS: Readonly<Record<string, View>> = {
  opening: before('opening'),
  'no link': before('no link'),
  unknown: before('unknown'),
  used: before('used'),
  expired: before('expired'),
  'by key': before('by key'),
  'no passkeys': before('no passkeys'),
  offline: before('offline'),
  welcome: at({ state: 'welcome' }),
  external: at({ state: 'welcome', setup: { ...SET_UP, wallet_type: 'external', wallet_address: WALLET } }),
  passphrase: at({ state: 'passphrase' }),
  'passphrase too short': at({ state: 'passphrase', malformed: ['passphrase'] }),
  'passphrase differs': at({ state: 'passphrase', malformed: ['again'] }),
  'passkey asked': at({ state: 'passphrase', waiting: true }),
  'passkey refused': at({ state: 'passphrase', note: 'refused' }),
  'passkey known': at({ state: 'passphrase', setup: KNOWN, note: 'known' }),
  'kit alone': at({ state: 'kit alone', is_sealed: false }),
  making: at({ state: 'making', stage: 'exchange' }),
  'making offline': at({ state: 'making', stage: 'check', note: 'offline' }),
  save: at({ state: 'save', kit }),
  'save alone': at({ state: 'save', kit, is_sealed: false }),
  'other file': at({ state: 'save', kit, kit_saved: true, note: 'other_file' }),
  'file missing': at({ state: 'save', kit, kit_saved: true, malformed: ['kit'] }),
  'expired with a kit': { ...before('expired'), kit_void: true },
  'begun anew elsewhere': at({ state: 'passphrase', note: 'superseded', kit_void: true }),
  saved: at({ state: 'save', kit, kit_saved: true }),
  confirming: at({ state: 'save', kit, kit_saved: true, waiting: true }),
  'confirm offline': at({ state: 'save', kit, kit_saved: true, note: 'offline' }),
  done: at({ state: 'done', kit, kit_saved: true, wallet_address: WALLET }),
  ways: at({ state: 'ways', setup: READY }),
  'ways without a passkey': at({ state: 'ways', setup: { ...READY, passkeys: [] } }),
  'not sealed': at({ state: 'ways', setup: READY, note: 'not_sealed' }),
  'open kit': at({ state: 'open kit', setup: READY }),
  'kit missing': at({ state: 'open kit', setup: READY, malformed: ['kit'] }),
  'wrong passphrase': at({ state: 'open kit', setup: READY, note: 'wrong_passphrase' }),
  'opening kit': at({ state: 'open kit', setup: READY, waiting: true }),
  'new passkey': at({ state: 'new passkey', setup: READY, opened_by: 'AQID' }),
  'new passkey by kit': at({ state: 'new passkey', setup: READY, note: 'known' }),
  'sealed already': at({ state: 'new passkey', setup: READY, note: 'sealed_already' }),
  'new kit': at({ state: 'new kit', setup: READY }),
  'new kit short': at({ state: 'new kit', setup: READY, malformed: ['passphrase'] }),
  'making kit': at({ state: 'new kit', setup: READY, waiting: true }),
  'kit done': at({ state: 'kit done', setup: READY }),
  'wallet was there': at({ state: 'ways', setup: READY, kit_void: true }),
  'passkey done': at({ state: 'passkey done', setup: READY }),
  'passkey done alone': at({ state: 'passkey done', setup: READY, is_sealed: false }),
};

const NO_ACTIONS = {} as Actions;

/** What the script draws for a view, as HTML. */
export const drawn = (view: View, language: Language = view.language): string =>
  renderToString(
    h(Page, { view: { ...view, language }, words: WORDS[language], actions: NO_ACTIONS }),
  );
