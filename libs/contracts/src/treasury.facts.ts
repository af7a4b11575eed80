export const treasuryFacts = [] as const;
