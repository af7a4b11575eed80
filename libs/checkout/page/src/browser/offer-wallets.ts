import type { Wallet } from '@wallet-standard/base';
import { note } from './note';
import { connect, isRejection, watchWallets } from './wallets';

let wallets: readonly Wallet[] = [];

/** Offers the wallets of this browser from now on, and on phones without one the apps that open this page. */
export function watch(): void {
  watchWallets((found) => {
    wallets = found;
    offer();
  });
}

/** On the form that is shown now. */
export function offer(): void {
  const place = document.querySelector('.wallets');
  const apps = document.querySelector<HTMLElement>('.apps');
  if (!place || !apps) return;
  place.replaceChildren(...wallets.map(buttonOf));
  apps.hidden = wallets.length > 0 || !matchMedia('(pointer: coarse)').matches;
}

function buttonOf(wallet: Wallet): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  const icon = new Image(24, 24);
  icon.src = wallet.icon;
  icon.alt = '';
  const words = document.querySelector('form')?.dataset.connect ?? '';
  button.append(icon, words.replace('{wallet}', wallet.name));
  button.onclick = () => void fillIn(wallet);
  return button;
}

/** The address of the account that the wallet shows to this page. */
async function fillIn(wallet: Wallet): Promise<void> {
  try {
    const account = await connect(wallet);
    const field = document.querySelector<HTMLInputElement>('input[name=customer_wallet]');
    if (!account || !field) return note('failed');
    field.value = account.address;
    note('connected', wallet.name);
  } catch (error) {
    note(isRejection(error) ? 'declined' : 'failed');
  }
}
