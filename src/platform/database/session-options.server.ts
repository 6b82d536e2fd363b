import type pg from 'pg';

/**
 * `-c name=value` in the start-up packet outranks the defaults of server, database and role. What DATABASE_URL has as
 * `?options=` is kept before it.
 */
export function withSetting<T extends pg.ClientConfig>(connection: T, setting: string): T {
  const url = connection.connectionString ? URL.parse(connection.connectionString) : null;
  // pg lets the address win over everything beside it.
  const own = url?.searchParams.get('options');
  const options = [own ?? connection.options, `-c ${setting}`].filter(Boolean).join(' ');
  if (!url || !own) return { ...connection, options };
  url.searchParams.set('options', options);
  return { ...connection, connectionString: url.href };
}

/** Days and months are counted in the session's zone: in any other than UTC, a day of clock change has 23 or 25 hours. */
export const inUtc = <T extends pg.ClientConfig>(connection: T): T => withSetting(connection, 'TimeZone=UTC');
