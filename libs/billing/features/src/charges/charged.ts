import type { PaidBy } from '@tender/billing-domain';
import type { CommandOrigin, DomainEvent, Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** What one link is to pay: a period, an installment, an invoice. */
export interface ChargedPart {
  readonly payment_link_id: string;
  readonly object_id: string;
  /** Number of the period or the installment; 1 of an invoice. */
  readonly part: number;
}

/** The money of a part. */
export interface Settlement extends ChargedPart {
  readonly mode: Mode;
  readonly paid_by: PaidBy;
  /** ISO 8601, business time. */
  readonly now: string;
}

/** A part whose time to be paid may be over. */
export interface EndedPart extends Pick<ChargedPart, 'object_id' | 'part'> {
  readonly mode: Mode;
  /** ISO 8601, business time. */
  readonly now: string;
}

/** A kind of object that is paid by links. */
export interface Charged {
  /** Of its streams. */
  readonly noun: string;
  /** The field that has its id in the metadata of its links, and so of their payments. */
  readonly named_by: string;
  /** What the event says to be payable by a link from now on; null where it says nothing of a link. */
  readonly partOf: (event: DomainEvent) => ChargedPart | null;
  /** Gives the pay command. What is paid already stays paid by what it was; any other refusal is thrown. */
  readonly settle: (
    runtime: Pick<Runtime, 'eventStore' | 'clock' | 'random'>,
    settlement: Settlement,
    origin: CommandOrigin,
  ) => Promise<void>;
  /**
   * Where the time of its charge is over, closes the link, and fails the charge once payments says that nothing was
   * paid in time. Until then, and of one that is paid or dropped, does nothing. Absent where nothing follows.
   */
  readonly fail?: (
    runtime: Pick<Runtime, 'calls' | 'eventStore' | 'clock' | 'random'>,
    ended: EndedPart,
    origin: CommandOrigin,
  ) => Promise<void>;
}
