import { expect, test } from 'vitest';
import { encodingFor } from './compress.server.ts';
import { matchesEtag } from './etag.server.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['BR', 'br'],
  ['zstd', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0, gzip;q=0.000', 'identity'],
  ['gzip;q=0.5, br;q=0.2', 'gzip'],
  ['br ; q=0.5 , gzip ; q=0.5', 'br'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0, gzip', 'gzip'],
  ['br;q=high, gzip', 'gzip'],
])('Accept-Encoding %s is answered in %s', (accept, encoding) => {
  expect(encodingFor(accept)).toBe(encoding);
});

test.each(['"a"', 'W/"a"', '"x", W/"a"', '*'])('If-None-Match %s matches a weak or strong tag', (header) => {
  for (const etag of ['"a"', 'W/"a"']) expect(matchesEtag(header, etag)).toBe(true);
  expect(matchesEtag(header, '"b"')).toBe(header === '*');
});
