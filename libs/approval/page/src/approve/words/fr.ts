import type { ApproveWords } from './en';

export const fr: ApproveWords = {
  title: 'Approbation',
  language: 'Langue',
  no_script: 'Cette page interroge votre clé d’accès et a besoin de JavaScript. Autorisez-le pour cette page, puis rouvrez le lien.',
  opening: 'Ouverture de la demande',
  waiting: 'Veuillez patienter',
  troubles: {
    'no request': {
      title: 'Cette page s’ouvre par une demande',
      text: 'L’adresse ne contient pas de demande, ou seulement une partie. Ouvrez le lien entier, ou demandez à nouveau ce que vous voulez faire.',
    },
    altered: {
      title: 'Cette demande se contredit',
      text: 'Ce qu’elle dit n’est pas ce que votre clé d’accès signerait. Elle a été abîmée en chemin, ou changée pour vous tromper ; elle ne peut pas être approuvée ici. Si cela se reproduit, prévenez-nous.',
    },
    expired: {
      title: 'Cette demande a expiré',
      text: 'Une demande est valable deux minutes ; rien n’a été approuvé. Demandez à nouveau ce que vous voulez faire. Si chaque demande a déjà expiré quand vous l’ouvrez, réglez l’heure de cet appareil.',
    },
    'no passkeys': {
      title: 'Ce navigateur ne gère pas les clés d’accès',
      text: 'Ouvrez le lien dans une version actuelle de Chrome, Edge, Firefox ou Safari, sur l’appareil qui a votre clé d’accès.',
    },
  },
  operations: {
    unfreeze_operating_wallet: {
      title: 'Débloquer votre portefeuille opérationnel ?',
      text: 'Si vous approuvez, de l’argent peut de nouveau en sortir : des remboursements, et des versements à votre intention.',
    },
    set_operating_wallet_limits: {
      title: 'Changer ce qui peut sortir en un jour ?',
      text: 'Si vous approuvez, ce montant peut sortir de votre portefeuille opérationnel en 24 heures, quelle que soit la limite actuelle.',
    },
    pin_passkey: {
      title: 'Laisser une clé d’accès de plus approuver ?',
      text: 'Si vous approuvez, cette clé d’accès pourra permettre tout ce que permet celle que vous tenez. Continuez seulement si c’est celle que vous venez de créer.',
    },
    unpin_passkey: {
      title: 'Retirer une clé d’accès ?',
      text: 'Si vous approuvez, cette clé d’accès ne pourra plus rien permettre.',
    },
  },
  fields: {
    merchant: 'Marchand',
    wallet: 'Portefeuille opérationnel',
    mode: 'Mode',
    per_day: 'Au plus en 24 heures',
    passkey: 'Clé d’accès',
    public_key: 'Sa clé publique',
  },
  modes: { test: 'Test', live: 'Réel, avec de l’argent réel', all: 'Test, et réel avec de l’argent réel' },
  only_own: 'Approuvez seulement ce que vous avez demandé vous-même. Sinon, fermez cette page ; rien ne se passe alors.',
  approve: 'Approuver avec la clé d’accès',
  passkey_asked: 'Votre navigateur demande maintenant votre clé d’accès.',
  until: (time) => `Valable jusqu’à ${time}.`,
  notes: {
    refused: 'Rien n’a été approuvé : la demande a été fermée, a pris trop de temps, ou votre appareil ne vous a pas reconnu. Réessayez.',
  },
  approved_title: 'Approuvé',
  taken: 'La page qui l’a demandé a votre approbation et continue. Vous pouvez fermer celle-ci.',
  approved_text: 'Si vous appelez l’API vous-même, envoyez ceci comme passkey_signature avec votre requête : cela ne prend effet qu’alors, et une seule fois.',
  copy: 'Copier',
  copied: 'Copié.',
  not_copied: 'Votre navigateur ne l’a pas copié : sélectionnez le texte et copiez-le vous-même.',
};
