export { canonicalEmail, legacyCanonicalEmail } from './canonical-email.server.ts';
export { configuredProviders, providerOrigins } from './oauth/oauth-flow.server.ts';
export { onSessionEnd } from './sessions/session-watch.server.ts';
export { readSession, signedInAs } from './sessions/sessions.server.ts';
export { requestSignIn, signInWithCode } from './sign-in/email-sign-in.server.ts';
export { browserOf, setCookie } from './sign-in/request-browser.server.ts';
export { type AddressLimits, limitAddress } from './sign-in/sign-in-rate-limits.server.ts';
export { keyedHash, looksLikeToken, newToken } from './tokens.server.ts';
export { me } from './users/users.server.ts';
