import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { databasePool } from '#platform/database/database.server.ts';
import { useTestDatabase } from '#tests/support/database.ts';
import { sweepRestoreOffers } from '../sign-in/complete-sign-in.server.ts';
import {
  callbackFailure,
  failurePath,
  invalidState,
  linkFailure,
  providerFailure,
} from './oauth-failures.server.ts';
import { returnPath, sweepAttempts } from './oauth-flow.server.ts';

describe('the return path', () => {
  test.each([
    [null, '/auth/callback'],
    ['/chat', '/auth/callback?next=%2Fchat'],
    ['/chat?a=b&c=d#e', '/auth/callback?next=%2Fchat%3Fa%3Db%26c%3Dd%23e'],
    ['/auth/callback?subscribe=true&plan=yearly', '/auth/callback?subscribe=true&plan=yearly'],
  ])('for %j is %s', (next, path) => expect(returnPath(next)).toBe(path));
});

describe('failures', () => {
  const reasons = ['unavailable', 'code_refused', 'misconfigured', 'no_email', 'untrusted'] as const;
  const all = [
    invalidState(),
    ...['access_denied', 'invalid_request', 'server_error', 'other'].map((error) =>
      callbackFailure(error, 'GitHub'),
    ),
    ...(['account_deleted', 'account_not_linked'] as const).map((reason) => linkFailure(reason, 'GitHub')),
    ...reasons.map((reason) => providerFailure(reason, 'github', 'GitHub')),
  ];

  test('are described in sentences that the error page shows in full', () => {
    for (const { description } of all) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(description.length).toBeLessThanOrEqual(200);
    }
  });

  test('never repeat external text unless it is a plain name', () => {
    for (const error of ['', '<b>', 'A', 'a b', 'a&error=b', 'a'.repeat(61), 'ä']) {
      expect(callbackFailure(error, 'Google').error).toBe('auth_error');
    }
    expect(callbackFailure('login_required', 'Google').error).toBe('login_required');
    const path = failurePath({ ...invalidState(), description: 'a&b=c#d' });
    expect(new URL(path, 'http://site.test').searchParams.get('description')).toBe('a&b=c#d');
  });
});

describe('the sweep', () => {
  let end: () => Promise<void>;
  beforeAll(async () => {
    end = await useTestDatabase(inject('postgres'));
  });
  afterAll(() => end());

  test('removes flows a day after they expire, and offers at once', async () => {
    const pool = databasePool();
    await pool.query(
      `insert into oauth_attempts (state_hash, provider, browser_hash, expires_at) values
         ('old', 'google', 'b', app_now() - interval '25 hours'),
         ('late', 'google', 'b', app_now() - interval '23 hours'),
         ('open', 'github', 'b', app_now() + interval '9 minutes')`,
    );
    const { rows } = await pool.query<{ id: string }>(
      `insert into users (id, email, name) values (gen_random_uuid(), 'a@example.com', 'A') returning id`,
    );
    await pool.query(
      `insert into restore_offers (token_hash, user_id, expires_at) values
         ('old', $1, app_now() - interval '1 second'), ('open', $1, app_now() + interval '1 minute')`,
      [rows[0]?.id],
    );
    expect([await sweepAttempts(), await sweepRestoreOffers()]).toEqual([1, 1]);
    const left = await pool.query(
      `select convert_from(state_hash, 'utf8') as name from oauth_attempts
       union all select convert_from(token_hash, 'utf8') from restore_offers`,
    );
    expect(left.rows.map(({ name }) => name).sort()).toEqual(['late', 'open', 'open']);
  });
});
