export * from './built-scripts';
export * from './compress-page';
export * from './html-document';
export * from './icon';
export * from './language';
export * from './policy';
export * from './qr-code';
export * from './taken-form';
