export type { KeyScope } from './api-keys/api-keys-contract.ts';
export { type KeyHolder, readKeyHolder } from './api-keys/key-holder.server.ts';
export { canonicalEmail, legacyCanonicalEmail } from './canonical-email.server.ts';
export { addImportedInstructions, addImportedNote } from './instructions/import-instructions.server.ts';
export {
  type AppliedInstructions,
  instructionText,
  isPersonal,
} from './instructions/instruction-text.server.ts';
export { appliedInstructions } from './instructions/instructions-store.server.ts';
export { hasNote } from './instructions/memory-store.server.ts';
export { configuredProviders, providerOrigins } from './oauth/oauth-flow.server.ts';
export { deleteSessionsOf as endSessionsOf } from './sessions/session-store.server.ts';
export { onSessionEnd } from './sessions/session-watch.server.ts';
export { readSession, signedInAs } from './sessions/sessions.server.ts';
export { requestSignIn, signInWithCode } from './sign-in/email-sign-in.server.ts';
export { browserOf, setCookie } from './sign-in/request-browser.server.ts';
export { type AddressLimits, limitAddress } from './sign-in/sign-in-rate-limits.server.ts';
export { keyedHash, looksLikeToken, newToken, sameHash } from './tokens.server.ts';
export { banAccount, unbanAccount } from './users/account-ban.server.ts';
export { me } from './users/users.server.ts';
