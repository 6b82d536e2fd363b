import type pg from 'pg';

/**
 * Adds `-c name=value` to the start-up packet, which outranks the defaults of server, database and role. The
 * `?options=` of DATABASE_URL are kept before it.
 */
export function withSetting<T extends pg.ClientConfig>(connection: T, setting: string): T {
  const url = connection.connectionString ? URL.parse(connection.connectionString) : null;
  // In pg, parameters of the URL override the fields next to it.
  const urlOptions = url?.searchParams.get('options');
  const options = [urlOptions ?? connection.options, `-c ${setting}`].filter(Boolean).join(' ');
  if (!url || !urlOptions) return { ...connection, options };
  url.searchParams.set('options', options);
  return { ...connection, connectionString: url.href };
}

/** PostgreSQL counts days and months in the session's zone: outside UTC, a day of clock change has 23 or 25 hours. */
export const inUtc = <T extends pg.ClientConfig>(connection: T): T => withSetting(connection, 'TimeZone=UTC');
