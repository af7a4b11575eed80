export const fraudFacts = [] as const;
