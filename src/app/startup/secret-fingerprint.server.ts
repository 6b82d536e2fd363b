import { createHmac } from 'node:crypto';

/** Returns a fingerprint to compare AUTH_SECRETs without revealing them. */
export const secretFingerprint = (authSecret: string): string =>
  createHmac('sha256', authSecret).update('processes of one site').digest('base64url');
