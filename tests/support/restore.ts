import { keyedHash, newToken } from '#features/accounts/tokens.server.ts';
import type { TestServer } from './server.ts';

/**
 * Inserts the offer to restore a deleted account that a sign-in creates. @returns the browser's cookie, as
 * `name=value`.
 */
export async function makeOffer(server: TestServer, userId: string): Promise<string> {
  const token = newToken();
  await server.database.query(
    `insert into restore_offers (token_hash, user_id, expires_at) values ($1, $2, app_now() + interval '15 minutes')`,
    [keyedHash('restore', token), userId],
  );
  return `restore=${token}`;
}
