import type { ErrorCode } from '@tender/contracts';

/** An answer that is not a success: specification §1.1. `message` is a sentence that names the way out. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** 400 `invalid_parameter` with the fields at fault (specification §1.3). */
export const invalidParameter = (...fields: readonly FieldFault[]): ApiError =>
  new ApiError(
    400,
    'invalid_parameter',
    fields.map(({ field, message }) => `${field} ${message}`).join('; '),
    { fields },
  );

/** Absent, another merchant's, or of the other mode: identical bytes (specification §1.2). */
export const notFound = (code: ErrorCode = 'not_found'): ApiError =>
  new ApiError(404, code, 'There is no such resource.');
