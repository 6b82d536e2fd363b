import { expect, test } from 'vitest';
import { decodeText } from './decode-text.server.ts';

const sample = 'Grüße, “naïve” 東京 😀\n\tend';

test.each([
  ['UTF-8', Buffer.from(sample)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${sample}`)],
  ['UTF-16 LE', Buffer.from(`\ufeff${sample}`, 'utf16le')],
  ['UTF-16 BE', Buffer.from(`\ufeff${sample}`, 'utf16le').swap16()],
])('decodes %s', (_, bytes) => expect(decodeText(bytes)).toBe(sample));

test('decodes text that is not UTF-8 as windows-1252', () => {
  expect(decodeText(Buffer.from('caf\xe9; 5 \x80 \x93so\x94', 'latin1'))).toBe('café; 5 € “so”');
});

test('leaves out a character that is cut off at the end if there are more bytes', () => {
  expect(decodeText(Buffer.from('ab€').subarray(0, 4), true)).toBe('ab');
  expect(decodeText(Buffer.from('caf\xe9', 'latin1'))).toBe('café');
});

test.each([
  ['a program', Buffer.from('\x7fELF\x02\x01\x01\0\0\0', 'latin1')],
  ['an archive', Buffer.from('PK\x03\x04\x14\0\x08\0', 'latin1')],
  ['an animated picture', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
  ['half of a UTF-16 text', Buffer.from(sample, 'utf16le')],
  ['bytes that no text contains', Buffer.from('caf\xe9 \x81\x8d', 'latin1')],
  ['invalid UTF-8 after a byte order mark', Buffer.from('\xef\xbb\xbfcaf\xe9 x', 'latin1')],
])('%s is not text', (_, bytes) => expect(decodeText(bytes)).toBeNull());
