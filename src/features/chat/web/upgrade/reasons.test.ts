import { expect, test } from 'vitest';
import type { Me } from '../../../accounts/contract.ts';
import { reasonOf } from './reasons.ts';

const me: Me = {
  id: 'u',
  email: 'a@example.com',
  name: 'A',
  avatarUrl: null,
  plan: 'free',
  credits: 0,
  chatsLeftToday: 0,
  welcomed: true,
};
const textOf = (dialog: Parameters<typeof reasonOf>[0]) => reasonOf(dialog, me, new Date()).text;

test('only a refused message is kept in the composer', () => {
  const kept = 'Your message was not sent. It is kept in the composer.';
  expect(textOf({ cause: 'credits' })).toBe(kept);
  expect(textOf({ cause: 'credits', refused: 'message' })).toBe(kept);
  expect(textOf({ cause: 'credits', refused: 'reply' })).toBe(
    'No new reply was made. The one you have stays.',
  );
  expect(textOf({ cause: 'daily', refused: 'reply' })).not.toContain('composer');
});
