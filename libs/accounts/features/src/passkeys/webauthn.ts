/** 4 MB in each thread of a program, for what few of its requests concern: it is loaded with the first of them. */
export const webauthn = () => import('@simplewebauthn/server');
