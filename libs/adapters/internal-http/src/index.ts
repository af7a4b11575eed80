export * from './hmac-seal';
export * from './http-calls';
export type { ServiceAnswer, ServiceRequest } from './exchange';
export * from './service-client';
