import { describe, expect, test } from 'vitest';
import { slugOf } from '#shared/slug.ts';
import { chatFileName } from './chat-export.server.ts';

describe('file names', () => {
  test.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\x\r\n<b>', 'c-x-b'],
    ['...', 'chat'],
    ['', 'chat'],
    ['Über Größe', 'über-größe'],
    ['世界 & 平和', '世界-平和'],
    ['a'.repeat(200), 'a'.repeat(60)],
    ['\u{1d400}'.repeat(60), '\u{1d400}'.repeat(30)],
    ['世'.repeat(60), '世'.repeat(40)],
    [`a${'世'.repeat(60)}`, `a${'世'.repeat(39)}`],
  ])('the slug of %j is %j', (title, slug) => expect(slugOf(title, 'chat')).toBe(slug));

  test('fit a file system, and differ for chats with the same day, title and end of the id', () => {
    const at = { title: '\u{1d400}'.repeat(60), created_at: new Date('2026-11-21T12:00:00Z') };
    const [one, other] = ['01234567', '76543210'].map((start) =>
      chatFileName({ ...at, id: `${start}-89ab-cdef-0123-456789abcdef` }, 'md'),
    );
    expect(one).not.toBe(other);
    expect(Buffer.byteLength(one ?? '')).toBe(171);
  });

  test('are dated and end with the id', () => {
    const chat = {
      id: '01234567-89ab-cdef-0123-456789abcdef',
      title: '/etc/x',
      created_at: new Date('2026-11-21T12:00:00Z'),
    };
    expect(chatFileName(chat, 'md')).toBe('2026-11-21-etc-x-01234567-89ab-cdef-0123-456789abcdef.md');
  });
});
