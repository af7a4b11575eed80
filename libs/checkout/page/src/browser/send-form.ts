import { ATTEMPT_FIELD } from '../screens/attempt-field';
import { ATTEMPT_AT, memory, SUBSCRIPTION_AT } from './memory';
import { note } from './note';
import { offer } from './offer-wallets';
import { pageAt, planShown, show, type OtherPage } from './other-page';

/** Subscribes, and goes on to the payment where one is due; pressed twice or in two tabs, it is one subscription. */
export async function sendForm(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button.primary');
  if (button?.ariaDisabled) return;
  button?.setAttribute('aria-disabled', 'true');
  const answer = await sent(form).catch(() => null);
  button?.removeAttribute('aria-disabled');
  if (!answer) return note('offline');
  const { html } = answer;
  const subscription = html.querySelector<HTMLElement>('main')?.dataset.subscription;
  // The gateway says that there is no answer: what was typed stays.
  if (!html.querySelector('[data-plan]')) return note(html.querySelector('h1')?.textContent ?? '');
  show(answer);
  offer();
  if (!subscription) return;
  const plan_id = planShown();
  memory.write(SUBSCRIPTION_AT(plan_id), subscription);
  memory.forget(ATTEMPT_AT(plan_id));
  document.querySelector<HTMLFormElement>('form.pay')?.submit();
}

async function sent(form: HTMLFormElement): Promise<OtherPage> {
  const kept = ATTEMPT_AT(planShown());
  const fields = new FormData(form);
  const attempt = memory.read(kept) ?? String(fields.get(ATTEMPT_FIELD));
  memory.write(kept, attempt);
  fields.set(ATTEMPT_FIELD, attempt);
  const body = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
  return pageAt(location.href, { method: 'POST', body });
}
