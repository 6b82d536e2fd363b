import { createHmac } from 'node:crypto';

/** Tells two AUTH_SECRETs apart, and nothing more of them. */
export const secretPrint = (authSecret: string): string =>
  createHmac('sha256', authSecret).update('processes of one site').digest('base64url');
