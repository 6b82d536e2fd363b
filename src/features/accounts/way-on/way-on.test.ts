import { expect, test } from 'vitest';
import { wayOn } from './contract.ts';

test.each([
  '/error?description=Call+us',
  '/error',
  '/error/',
  '/ERROR?x',
  '/%65rror?x',
  '/error.data?x',
  '/chat.data',
  '/api/me',
  '/API/me',
  '/%61pi/auth/google',
  '/restore',
  '/restore?kept',
  '/sign-in',
  '/sign-in?next=/chat',
  '/sign-in/confirm?token=x',
  '/auth',
  '/auth/callback',
  '/auth/callback?error=x&error_description=Call+us',
  '/auth/callback?next=/chat',
  '/auth/callback?subscribe=true',
  '/auth/callback?subscribe=true&plan=lifetime',
  '/auth/callback?subscribe=1&plan=yearly',
  '/auth/callbacks',
  '/%E0%A4%A',
  'https://evil.test',
  '//evil.test',
  '',
  null,
  7,
])('%j is no way on', (text) => expect(wayOn(text)).toBeNull());

test.each([
  ['/', '/'],
  ['/chat?x=1#y', '/chat?x=1#y'],
  ['/settings', '/settings'],
  ['/errors', '/errors'],
  ['/dashboard?subscribe=true&plan=yearly', '/dashboard?subscribe=true&plan=yearly'],
  ['/auth/callback?subscribe=true&plan=yearly', '/auth/callback?subscribe=true&plan=yearly'],
  [
    '/auth/callback/?plan=monthly&error=x&subscribe=true&error_description=Call+us#z',
    '/auth/callback?subscribe=true&plan=monthly',
  ],
])('%j leads to %j', (text, path) => expect(wayOn(text)).toBe(path));
