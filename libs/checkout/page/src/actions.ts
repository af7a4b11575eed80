import type { Language } from '@tender/page';

export const SCENARIOS = ['pay', 'underpay', 'wrong_token', 'block'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** What a customer can do on the page. */
export interface Actions {
  speak(language: Language): void;
  type(field: string, value: string): void;
  giveEmail(): void;
  skipEmail(): void;
  /** `blank`: fields that must be filled in, and are not. */
  giveInfo(blank: readonly string[]): void;
  goOn(): void;
  payWith(wallet: string): void;
  showQr(): void;
  back(): void;
  copy(text: string): void;
  retry(): void;
  startAgain(): void;
  readMoney(): void;
  newPayment(): void;
  stay(): void;
  print(): void;
  simulate(scenario: Scenario): void;
  /** Once the time to pay is over. */
  simulateLate(): void;
  simulateChainDown(): void;
}

/** On the server there is nothing to press. */
export const NO_ACTIONS = {} as Actions;
