import { describe, expect, test } from 'vitest';
import { canonicalEmail, legacyCanonicalEmail } from './canonical-email.server.ts';

describe('canonicalEmail', () => {
  test.each([
    ['a.b+1@gmail.com', 'ab@gmail.com'],
    ['ab@gmail.com', 'ab@gmail.com'],
    ['ab@googlemail.com', 'ab@gmail.com'],
    ['a.b.+x+y@googlemail.com', 'ab@gmail.com'],
    ['x+1@example.com', 'x@example.com'],
    ['x+2@example.com', 'x@example.com'],
    ['a.b@example.com', 'a.b@example.com'],
    ['a-b_c@example.com', 'a-b_c@example.com'],
    ['+tag@example.com', '+tag@example.com'],
    ['name-tag@yahoo.com', 'name@yahoo.com'],
    ['name-a-b@yahoo.co.uk', 'name@yahoo.co.uk'],
    ['name@yahoo.com.br', 'name@yahoo.com.br'],
    ['a.b_c-tag@ymail.com', 'a.b_c@ymail.com'],
    ['-tag@yahoo.com', '-tag@yahoo.com'],
    ['name-tag@yahoo.example.com', 'name-tag@yahoo.example.com'],
    ['x@name.fastmail.com', 'name@fastmail.com'],
    ['y+z@name.fastmail.com', 'name@fastmail.com'],
    ['name+x@fastmail.com', 'name@fastmail.com'],
    ['x@joe-citizen.fastmail.fm', 'joe-citizen@fastmail.fm'],
    ['joe_citizen@fastmail.fm', 'joe-citizen@fastmail.fm'],
    ['x@name.sent.com', 'name@sent.com'],
    ['x@notfastmail.com', 'x@notfastmail.com'],
    ['a.b+tag@outlook.com', 'a.b@outlook.com'],
    ['a-b+tag@hotmail.co.uk', 'a-b@hotmail.co.uk'],
    ['a+tag@live.com', 'a@live.com'],
    ['a.b-c_d+tag@proton.me', 'abcd@proton.me'],
    ['abcd@pm.me', 'abcd@proton.me'],
    ['ab.cd@protonmail.com', 'abcd@proton.me'],
    ['name+x@icloud.com', 'name@icloud.com'],
    ['name@me.com', 'name@icloud.com'],
    ['name@mac.com', 'name@icloud.com'],
    ['a.b@ya.ru', 'a-b@yandex.ru'],
    ['a-b+x@yandex.com', 'a-b@yandex.ru'],
    ['a.b@yandex.com.tr', 'a-b@yandex.ru'],
    ['a.b+x@mail.ru', 'a.b@mail.ru'],
    ['a-b@aol.com', 'a-b@aol.com'],
    ['a-b+x@zoho.com', 'a-b@zoho.com'],
    ['a-b@gmx.net', 'a-b@gmx.net'],
  ])('%s is %s', (email, mailbox) => expect(canonicalEmail(email)).toBe(mailbox));
});

test.each([
  ['a.b+1@googlemail.com', 'ab@gmail.com'],
  ['name-tag+x@yahoo.com', 'name-tag@yahoo.com'],
  ['x@name.fastmail.com', 'x@name.fastmail.com'],
])('legacyCanonicalEmail of %s is %s', (email, mailbox) => expect(legacyCanonicalEmail(email)).toBe(mailbox));
