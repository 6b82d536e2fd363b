import { describe, expect, it, test } from 'vitest';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { mp3File, mp4File, oggFile, webmFile } from './audio.fixture.ts';
import { opusSeconds } from './opus-packet.server.ts';
import { readAudio } from './read-audio.server.ts';
import { silentWav } from './silent-wav.server.ts';

const files = { webm: webmFile, ogg: oggFile, mp4: mp4File, wav: silentWav, mp3: mp3File };

describe.each(Object.entries(files))('%s', (kind, file) => {
  it('is recognized by its bytes, with its duration', () => {
    const audio = readAudio(file(7));
    expect(audio?.kind).toBe(kind);
    expect(audio?.seconds).toBeCloseTo(7, 1);
  });
  it('can be read wherever it is cut off', () => {
    const bytes = file(1);
    for (let length = 0; length < bytes.length; length += Math.max(1, Math.floor(bytes.length / 97)))
      expect(readAudio(bytes.subarray(0, length))?.seconds ?? 0).toBeLessThanOrEqual(1.1);
  });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['zeros', Buffer.alloc(5_000)],
  ['a page', Buffer.from('<!doctype html><script>1</script>')],
  ['an image', Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(200, '\0'), 'latin1')],
  ['a PDF', Buffer.from('%PDF-1.7\n')],
  ['Vorbis in WebM', webmFile(1, 'A_VORBIS')],
  ['several packets in a block', webmFile(1, 'A_OPUS', 0x86)],
  ['Vorbis in Ogg', oggFile(1, '\x01vorbis')],
  ['WAV at an implausible rate', silentWav(1, 1)],
])('%s is not a recording', (_, bytes) => {
  expect(readAudio(bytes)).toBeNull();
});

test('an MP4 file that states a shorter duration lasts as long as its frames', () => {
  expect(readAudio(mp4File(600, 4_000_000_000))?.seconds).toBeCloseTo(600, 0);
});

test('packets last as long as RFC 6716 defines', () => {
  expect(opusSeconds(0x00, 0)).toBe(0.01);
  expect(opusSeconds(0x19, 0)).toBe(0.12);
  expect(opusSeconds(0x80, 0)).toBe(0.0025);
  expect(opusSeconds(0x7b, 3)).toBe(0.06);
  expect(opusSeconds(0xff, 63)).toBe(0.12);
  expect(opusSeconds(undefined, undefined)).toBe(0);
});

test('reads 4 MiB of anything in less than a second', () => {
  const headers = [webmFile(0), oggFile(0), mp4File(0), silentWav(0), Buffer.from([0xff, 0xf3, 0x14, 0xc4])];
  const fills = [0x00, 0xff, 0x1a, 0x4f, 0xa3];
  for (const header of headers)
    for (const fill of fills) {
      const bytes = Buffer.concat([header, Buffer.alloc(4 * 1024 * 1024, fill)]);
      expect(cpuTime(() => void readAudio(bytes))).toBeLessThan(1_000);
    }
});
