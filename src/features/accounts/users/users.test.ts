import { describe, expect, test } from 'vitest';
import { canonicalMailbox } from './service.server.ts';

describe('canonicalMailbox', () => {
  test.each([
    ['a.b+1@gmail.com', 'ab@gmail.com'],
    ['ab@gmail.com', 'ab@gmail.com'],
    ['ab@googlemail.com', 'ab@gmail.com'],
    ['a.b.+x+y@googlemail.com', 'ab@gmail.com'],
    ['x+1@example.com', 'x@example.com'],
    ['x+2@example.com', 'x@example.com'],
    ['a.b@example.com', 'a.b@example.com'],
    ['+tag@example.com', '+tag@example.com'],
  ])('%s is %s', (email, mailbox) => expect(canonicalMailbox(email)).toBe(mailbox));
});
