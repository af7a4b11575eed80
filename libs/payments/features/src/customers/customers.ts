import type { Customer, CustomerAnswer } from '@tender/contracts';
import { customerSubject, type CustomerOf, type Runtime } from '@tender/eventing';
import type { SealedCustomer } from '@tender/payments-domain';

type Keys = Pick<Runtime, 'keyRing'>;

/** All that a customer has said, sealed under a key of that customer of that merchant, so that it can be erased. */
export async function sealCustomer(
  { keyRing }: Keys,
  of: Omit<CustomerOf, 'email'>,
  customer: Customer,
): Promise<SealedCustomer> {
  const email = customer.email.trim();
  const subject_id = customerSubject(keyRing, { ...of, email });
  return {
    subject_id,
    email_sealed: await keyRing.sealPersonal(subject_id, email),
    info_sealed: await keyRing.sealPersonal(subject_id, JSON.stringify({ ...customer, email })),
  };
}

/** Null where there is none, or the customer was erased. */
export async function openCustomer(
  { keyRing }: Keys,
  sealed: SealedCustomer | null | undefined,
): Promise<Customer | null> {
  if (!sealed?.info_sealed) return null;
  const json = await keyRing.openPersonal(sealed.subject_id, sealed.info_sealed);
  return json === null ? null : (JSON.parse(json) as Customer);
}

/** Null where none is known, or the customer was erased. */
export const openEmail = async (
  { keyRing }: Keys,
  sealed: SealedCustomer | null | undefined,
): Promise<string | null> =>
  sealed ? keyRing.openPersonal(sealed.subject_id, sealed.email_sealed) : null;

/** For the merchant whose customer it is. */
export const wholeCustomer = (customer: Customer): CustomerAnswer =>
  renderCustomer(customer, (text) => text);

/** For all who have the link: enough to know oneself by, too little to learn anything from. */
export const maskedCustomer = (customer: Customer): CustomerAnswer => ({
  ...renderCustomer(customer, masked),
  email: maskedEmail(customer.email),
});

const masked = (text: string): string => `${[...text][0] ?? ''}***`;

function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${masked(email.slice(0, at))}@${masked(email.slice(at + 1))}`;
}

function renderCustomer(customer: Customer, show: (text: string) => string): CustomerAnswer {
  const shown = (text: string | undefined): string | null => (text == null ? null : show(text));
  return {
    email: show(customer.email),
    name: shown(customer.name),
    phone: shown(customer.phone),
    company: shown(customer.company),
    billing_address_line1: shown(customer.billing_address_line1),
    billing_address_line2: shown(customer.billing_address_line2),
    billing_city: shown(customer.billing_city),
    billing_state: shown(customer.billing_state),
    billing_postal_code: shown(customer.billing_postal_code),
    billing_country: customer.billing_country ?? null,
  };
}
