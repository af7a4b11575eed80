export * from './edge-options';
export * from './gateway-tables';
export * from './mount-edge';
export { edgeServerOptions } from './server-options';
export * from './forwarding/forward-routes';
