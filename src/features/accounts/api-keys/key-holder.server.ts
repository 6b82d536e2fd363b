import { database } from '#platform/database/database.server.ts';
import { hashOf } from './api-keys.server.ts';
import { type KeyScope, keyPrefix } from './api-keys-contract.ts';
import { findKeyHolder } from './api-keys-store.server.ts';

export interface KeyHolder {
  keyId: string;
  userId: string;
  scopes: readonly KeyScope[];
}

/** Returns the user of a valid key, else null. @param header `Authorization` */
export async function readKeyHolder(header: string | undefined): Promise<KeyHolder | null> {
  const secret = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  if (!secret.startsWith(keyPrefix) || !/^[\w-]{43}$/.test(secret.slice(keyPrefix.length))) return null;
  const row = await findKeyHolder(database(), hashOf(secret));
  return row && { keyId: row.id, userId: row.user_id, scopes: row.scopes };
}
