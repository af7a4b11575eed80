import { ApiError } from '@tender/http';

export const webhookNotConfigured = (): ApiError =>
  new ApiError(
    409,
    'webhook_not_configured',
    'No webhook URL is set. Set one with PUT /api/v1/merchants/me/webhook.',
  );
