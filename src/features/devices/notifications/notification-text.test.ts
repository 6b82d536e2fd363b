import { expect, test } from 'vitest';
import { buildNotification } from './notification-text.server.ts';

const bodyOf = (title: string) =>
  buildNotification(
    { feature: 'chat', title, path: '/chat', failed: false },
    { language: 'en', endpoint: 'https://push.example' },
  ).body;

test('a long title is cut between two characters', () => {
  expect(bodyOf('x'.repeat(120))).toBe('x'.repeat(120));
  expect(bodyOf('😀'.repeat(121))).toBe(`${'😀'.repeat(119)}…`);
  expect(bodyOf(`x${'😀'.repeat(100)}`).isWellFormed()).toBe(true);
});
