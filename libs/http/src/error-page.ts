/** What a browser that asked for a page gets instead. */
export interface Trouble {
  readonly status: number;
  /** Seconds; null where nothing says when to try again. */
  readonly retry_after: number | null;
  /** Null where the request was not looked at. */
  readonly correlation_id: string | null;
  /** `?lang=` of the address. */
  readonly lang: string | undefined;
  readonly accept_language: string | undefined;
}

/** An error as a page that asks for nothing more, with the policy that it is shown under. */
export type ErrorPage = (trouble: Trouble) => { readonly html: string; readonly policy: string };
