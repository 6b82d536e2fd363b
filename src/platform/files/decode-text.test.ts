import { expect, test } from 'vitest';
import { decodeText } from './decode-text.server.ts';

const said = 'Grüße, “naïve” 東京 😀\n\tend';

test.each([
  ['UTF-8', Buffer.from(said)],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${said}`)],
  ['UTF-16 LE', Buffer.from(`\ufeff${said}`, 'utf16le')],
  ['UTF-16 BE', Buffer.from(`\ufeff${said}`, 'utf16le').swap16()],
])('%s', (_, bytes) => expect(decodeText(bytes)).toBe(said));

test('what is no UTF-8 as windows-1252', () => {
  expect(decodeText(Buffer.from('caf\xe9; 5 \x80 \x93so\x94', 'latin1'))).toBe('café; 5 € “so”');
});

test('a sign that is cut through at the end is left out where there is more', () => {
  expect(decodeText(Buffer.from('ab€').subarray(0, 4), true)).toBe('ab');
  expect(decodeText(Buffer.from('caf\xe9', 'latin1'))).toBe('café');
});

test.each([
  ['a program', Buffer.from('\x7fELF\x02\x01\x01\0\0\0', 'latin1')],
  ['an archive', Buffer.from('PK\x03\x04\x14\0\x08\0', 'latin1')],
  ['a moving picture', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
  ['half of a UTF-16 text', Buffer.from(said, 'utf16le')],
  ['bytes that no text has', Buffer.from('caf\xe9 \x81\x8d', 'latin1')],
  ['a broken UTF-8 behind its mark', Buffer.from('\xef\xbb\xbfcaf\xe9 x', 'latin1')],
])('%s is no text', (_, bytes) => expect(decodeText(bytes)).toBeNull());
