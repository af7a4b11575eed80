import { Metadata, status, type ServiceError } from '@grpc/grpc-js';

/** An error as gRPC carries it; `exception` is how EventStoreDB's clients tell its kinds apart. */
export function failure(
  code: status,
  details: string,
  exception?: Readonly<Record<string, string>>,
): ServiceError {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(exception ?? {})) metadata.set(key, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export const refusal = (): ServiceError => failure(status.UNAVAILABLE, 'told to refuse');

export const unimplemented = (what: string): ServiceError =>
  failure(status.UNIMPLEMENTED, `the double does not do this: ${what}`);
