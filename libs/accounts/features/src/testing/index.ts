/** What stories of the whole program take from here: the merchant's own parts, which are not the program's. */
export { MerchantBrowser } from './merchant-browser';
export { SoftwareAuthenticator } from './software-authenticator';
