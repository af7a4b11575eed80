export * from './hmac-seal';
export * from './http-calls';
export * from './service-client';
