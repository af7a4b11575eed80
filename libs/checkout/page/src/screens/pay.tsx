import { tokensDue } from '../amounts';
import type { QrDrawing } from '../page-data';
import { paymentOf } from '../view';
import type { Words } from '../words/words';
import { Button, Heading, Note, type ScreenProps } from './parts';

/** Apps that open a page inside themselves, where they are its wallet. */
const APPS = [
  ['Phantom', 'https://phantom.app/ul/browse/'],
  ['Solflare', 'https://solflare.com/ul/v1/browse/'],
] as const;

const appAddress = (app: string, page: string): string =>
  `${app}${encodeURIComponent(page)}?ref=${encodeURIComponent(new URL(page).origin)}`;

interface WalletAppsProps {
  /** Address of the page that they are to open. */
  readonly page: string;
  readonly words: Pick<Words, 'open_in'>;
}

export const WalletApps = ({ page, words }: WalletAppsProps) => (
  <>
    {APPS.map(([name, address], at) => (
      <a key={name} class={at === 0 ? 'button primary' : 'button'} href={appAddress(address, page)}>
        {words.open_in(name)}
      </a>
    ))}
  </>
);

export function Choose(props: ScreenProps) {
  const { view, words, actions } = props;
  const { wallets, touch, waiting } = view;
  const page = paymentOf(view)?.payment_url ?? '';
  const nothing_here = wallets.length === 0 && !touch;
  return (
    <>
      <Heading>{words.choose_title}</Heading>
      <Note {...props} />
      {wallets.map(({ name, icon }, at) => (
        <Button key={name} kind={at === 0 ? 'primary' : 'plain'} onPress={() => actions.payWith(name)} waits={waiting}>
          <img src={icon} alt="" width="24" height="24" /> {words.pay_with(name)}
        </Button>
      ))}
      {touch && wallets.length === 0 && <WalletApps page={page} words={words} />}
      {nothing_here && <p>{words.no_wallet}</p>}
      <Button kind={nothing_here ? 'primary' : 'plain'} onPress={actions.showQr} waits={waiting}>
        {words.show_qr}
      </Button>
      {touch && <a class="button quiet" href={paymentOf(view)?.qr_code}>{words.any_wallet}</a>}
    </>
  );
}

/** Black on white in both themes: cameras want it so. */
export const QrCode = ({ drawing, label }: { drawing: QrDrawing; label: string }) => (
  <svg class="qr" viewBox={`-2 -2 ${drawing.size + 4} ${drawing.size + 4}`} role="img" aria-label={label} shape-rendering="crispEdges">
    <path fill="#fff" d={`M-2-2h${drawing.size + 4}v${drawing.size + 4}h-${drawing.size + 4}z`} />
    <path fill="#000" d={drawing.path} />
  </svg>
);

export function Qr({ view, words, actions }: ScreenProps) {
  const payment = paymentOf(view);
  if (!payment || !view.page.qr) return null;
  const amount = tokensDue(payment, view.language);
  return (
    <>
      <Heading>{words.qr_title}</Heading>
      <QrCode drawing={view.page.qr} label={words.qr_label(amount)} />
      <p class="waits" role="status"><i aria-hidden="true" />{words.qr_waiting}</p>
      <Button onPress={() => actions.copy(payment.qr_code)}>
        {view.note === 'copied' ? words.copied : words.copy_link}
      </Button>
      <details>
        <summary>{words.qr_text}</summary>
        <p class="code">{payment.qr_code}</p>
      </details>
      <Button kind="quiet" onPress={actions.back}>{words.back}</Button>
    </>
  );
}

/** Nothing calls back what the customer has approved. */
export const Signing = ({ view, words, actions }: ScreenProps) => (
  <>
    <Heading>{view.approved ? words.sending_title : words.signing_title(view.wallet ?? '')}</Heading>
    <p class="waits" role="status">
      <i aria-hidden="true" />{view.approved ? words.sending_text : words.signing_text}
    </p>
    {!view.approved && <Button kind="quiet" onPress={actions.back}>{words.cancel}</Button>}
  </>
);

export const SwitchAccount = ({ view, words, actions }: ScreenProps) => (
  <>
    <Heading>{words.switch_title}</Heading>
    <p>{words.switch_text(view.other_wallet)}</p>
    <Button kind="primary" onPress={actions.startAgain}>{words.start_again}</Button>
  </>
);
