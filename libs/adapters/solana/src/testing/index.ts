export { control, openChain, TestLocalnet, type OpenChain } from './test-localnet';
