import type { Words } from './words.en';

const CAR = {
  facture: (shop: string) => `Vous le recevez car ${shop} vous a adressé une facture.`,
  echeances: (shop: string) => `Vous le recevez car vous payez ${shop} en plusieurs fois.`,
  abonnement: (shop: string) => `Vous le recevez car vous avez souscrit un abonnement auprès de ${shop}.`,
};

// No line begins with a colon: the space before it does not break.
export const fr: Words = {
  hello: (name) => (name === '' ? 'Bonjour,' : `Bonjour ${name},`),
  pay: (amount) => `Payer ${amount}`,
  labels: {
    ...{ amount: 'Montant', for: 'Objet', due: 'Échéance', installment: 'Versement' },
    ...{ subscription: 'Abonnement', period: 'Période', pay_before: 'À payer avant le' },
  },
  of: (number, count) => `${number} sur ${count}`,
  period: (start, end) => `${start} – ${end}`,

  invoice_sent: ({ shop, number }) => ({
    subject: `Facture ${number} de ${shop}`,
    title: `Facture ${number}`,
    text: `${shop} vous a adressé une facture.`,
    why: CAR.facture(shop),
  }),
  invoice_reminded: ({ shop, number }) => ({
    subject: `Rappel\u00a0: facture ${number} de ${shop}`,
    title: `La facture ${number} reste à payer`,
    text: `${shop} vous rappelle cette facture, qui n’est pas encore payée.`,
    why: CAR.facture(shop),
  }),
  installment_upcoming: ({ shop, number, count, day }) => ({
    subject: `Versement ${number} sur ${count} à ${shop}\u00a0: échéance le ${day}`,
    title: `Votre prochain versement est dû le ${day}`,
    text: 'Vous n’avez rien à faire maintenant\u00a0: nous vous enverrons un lien de paiement à l’échéance.',
    why: CAR.echeances(shop),
  }),
  installment_upcoming_payable: ({ shop, number, count, day }) => ({
    subject: `Versement ${number} sur ${count} à ${shop}\u00a0: échéance le ${day}`,
    title: `Votre prochain versement est dû le ${day}`,
    text: 'Vous pouvez déjà le payer par le lien ci-dessous, ou attendre l’échéance.',
    why: CAR.echeances(shop),
  }),
  installment_due: ({ shop, number, count }) => ({
    subject: `Versement ${number} sur ${count} à ${shop}`,
    title: 'Vous pouvez payer ce versement',
    text: `Le versement ${number} sur ${count} à ${shop} peut être payé par le lien ci-dessous.`,
    why: CAR.echeances(shop),
  }),
  installment_late: ({ shop, number, count }) => ({
    subject: `Versement ${number} sur ${count} à ${shop} en retard`,
    title: 'Ce versement est en retard',
    text: `Le versement ${number} sur ${count} à ${shop} n’est pas encore payé. Merci de le payer avant le moment indiqué\u00a0: ensuite, l’échéancier prend fin.`,
    why: CAR.echeances(shop),
  }),
  charge_due: ({ shop, plan }) => ({
    subject: `Votre paiement pour ${plan} chez ${shop}`,
    title: `Votre paiement pour ${plan}`,
    text: 'Une période de votre abonnement est à payer. Rien n’est prélevé automatiquement\u00a0: payez par le lien ci-dessous.',
    why: CAR.abonnement(shop),
  }),
  payment_failed: ({ shop, plan }) => ({
    subject: `Paiement non reçu pour ${plan} chez ${shop}`,
    title: 'Nous n’avons pas reçu votre paiement',
    text: 'Le délai pour payer cette période de votre abonnement est passé. Vous recevez un nouveau lien dans un autre message.',
    why: CAR.abonnement(shop),
  }),
  cancelled: ({ shop, plan }) => ({
    subject: `Votre abonnement à ${plan} chez ${shop} a pris fin`,
    title: 'Votre abonnement a pris fin',
    text: `Votre abonnement à ${plan} a été résilié car aucun paiement n’est arrivé à temps. Plus rien ne vous sera demandé.`,
    why: CAR.abonnement(shop),
  }),
};
