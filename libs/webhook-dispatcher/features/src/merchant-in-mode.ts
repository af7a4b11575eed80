import type { StreamMode } from '@tender/eventing';

/** A merchant in one mode: it has an endpoint, an event log and deliveries in each. */
export interface MerchantInMode {
  readonly mode: StreamMode;
  readonly merchant_id: string;
}

export const merchantKey = ({ mode, merchant_id }: MerchantInMode): string =>
  `${mode}:${merchant_id}`;
