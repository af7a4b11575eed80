/** 4 MB in each thread, for what few requests need: it is loaded with the first of them. */
export const webauthn = () => import('@simplewebauthn/server');
