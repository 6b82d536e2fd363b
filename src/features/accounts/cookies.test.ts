import { describe, expect, test } from 'vitest';
import { type Config, setConfig } from '#platform/config/config.server.ts';
import { cookieLine, readCookie } from './cookies.server.ts';

const setSecure = (value: boolean) => setConfig({ secure: value } as Config);

describe('cookies', () => {
  test('carry the host prefix and Secure under https only', () => {
    setSecure(true);
    expect(cookieLine('session', 'abc', 60)).toBe(
      '__Host-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    );
    setSecure(false);
    expect(cookieLine('session', 'abc', 60)).toBe('session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax');
  });

  test.each([
    ['session=abc', 'abc'],
    ['a=1; session=abc; b=2', 'abc'],
    ['xsession=no; session=abc', 'abc'],
    ['session=a=b', 'a=b'],
    ['session', null],
    ['=;;; =x;', null],
    ['', null],
    [undefined, null],
    [null, null],
  ])('reads %j', (header, value) => {
    setSecure(false);
    expect(readCookie(header, 'session')).toBe(value);
  });

  test('are not read by their plain name under https', () => {
    setSecure(true);
    expect(readCookie('session=abc', 'session')).toBeNull();
    expect(readCookie('session=abc; __Host-session=def', 'session')).toBe('def');
  });
});
