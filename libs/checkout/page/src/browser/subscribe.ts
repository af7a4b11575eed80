import { memory, SUBSCRIPTION_AT } from './memory';
import { offer, watch } from './offer-wallets';
import { isShown, pageAt, planShown, show } from './other-page';
import { sendForm } from './send-form';

// The script of pages of plans, which are whole without it: it fills in the address of a wallet that it connects, keeps
// what was typed where the network goes, and leads back to the subscription that this browser has.
addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  // Paying leads to another page: the browser does it.
  if (form.matches('.pay')) return;
  event.preventDefault();
  void sendForm(form);
});

addEventListener('click', (event) => {
  const link = (event.target as Element).closest('a');
  if (link?.matches('[data-again]')) memory.forget(SUBSCRIPTION_AT(planShown()));
  if (!link?.matches('nav a')) return;
  event.preventDefault();
  void speak(link.href);
});

watch();
void goOn();

/** With the subscription that was made here before, unless it is no more. */
async function goOn(): Promise<void> {
  const kept = SUBSCRIPTION_AT(planShown());
  const known = memory.read(kept);
  if (!known || !isShown('subscribe')) return;
  const { pathname, search } = location;
  const found = await pageAt(`${pathname}/${known}${search}`).catch(() => null);
  if (found?.status === 404) memory.forget(kept);
  if (found?.ok) show(found);
}

/** The same page in another language, with what was typed. */
async function speak(address: string): Promise<void> {
  const found = await pageAt(address).catch(() => null);
  if (!found?.ok) return location.assign(address);
  const typed = [...document.querySelectorAll('input')].filter(({ type }) => type !== 'hidden');
  show(found);
  for (const { name, value } of typed) {
    const field = document.querySelector<HTMLInputElement>(`input[name=${name}]`);
    if (field) field.value = value;
  }
  offer();
}
