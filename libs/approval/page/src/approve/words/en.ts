/** Every word of the page. French has the same keys, or it does not compile. */
export const en = {
  title: 'Approve',
  language: 'Language',
  no_script: 'This page asks for your passkey, and needs JavaScript for that. Allow it for this page, then open the link again.',
  opening: 'Opening the request',
  waiting: 'Please wait',
  troubles: {
    'no request': {
      title: 'This page opens from a request',
      text: 'The address holds no request, or only a part of it. Open the whole link, or ask again for what you want to do.',
    },
    altered: {
      title: 'This request contradicts itself',
      text: 'What it says is not what your passkey would sign. It was damaged on its way, or changed to deceive you, so it cannot be approved here. If that happens again, tell us.',
    },
    expired: {
      title: 'This request has expired',
      text: 'A request is good for two minutes; nothing was approved. Ask again for what you want to do. If every request has expired when you open it, set the clock of this device.',
    },
    'no passkeys': {
      title: 'This browser cannot use passkeys',
      text: 'Open the link in a current Chrome, Edge, Firefox or Safari, on the device that has your passkey.',
    },
  },
  operations: {
    unfreeze_operating_wallet: {
      title: 'Unfreeze your operating wallet?',
      text: 'If you approve, money can leave it again: refunds, and settlements to you.',
    },
    set_operating_wallet_limits: {
      title: 'Change how much may leave in a day?',
      text: 'If you approve, this much may leave your operating wallet in any 24 hours, in place of the limit that holds now.',
    },
    pin_passkey: {
      title: 'Let one more passkey approve?',
      text: 'If you approve, this passkey can approve everything that your present one can. Go on only if it is the passkey that you have just made.',
    },
    unpin_passkey: {
      title: 'Remove a passkey?',
      text: 'If you approve, this passkey can approve nothing any more.',
    },
  },
  fields: {
    merchant: 'Merchant',
    wallet: 'Operating wallet',
    mode: 'Mode',
    per_day: 'At most in 24 hours',
    passkey: 'Passkey',
    public_key: 'Its public key',
  },
  modes: { test: 'Test', live: 'Live, with real money', all: 'Test, and live with real money' },
  only_own: 'Approve only what you have asked for yourself. If you have not, close this page, and nothing happens.',
  approve: 'Approve with passkey',
  passkey_asked: 'Your browser asks for your passkey now.',
  until: (time: string) => `Good until ${time}.`,
  notes: {
    refused: 'Nothing was approved: the request was closed, it took too long, or your device did not recognise you. Try again.',
  },
  approved_title: 'Approved',
  taken: 'The page that asked has your approval and goes on with it. You can close this one.',
  approved_text: 'If you call the API yourself, send this as passkey_signature with your request. Nothing changes before that, and it works once.',
  copy: 'Copy',
  copied: 'Copied.',
  not_copied: 'Your browser did not copy it: select the text, and copy it yourself.',
};

export type ApproveWords = typeof en;
