import type { Place } from '@tender/http';
import { readSecretFile } from '../settings/secret-file';
import type { ServiceSettings } from '../settings/service-settings';

/** Where the contexts of a service run. */
export const placeOfService = ({
  public_url,
  approval_url,
}: Pick<ServiceSettings, 'public_url' | 'approval_url'>): Place => ({
  url: public_url,
  approval_url,
  secretFile: readSecretFile,
});
