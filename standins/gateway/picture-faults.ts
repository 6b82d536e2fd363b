/** Pictures for the marker [[picture:NAME]] of a prompt. */
import { Buffer } from 'node:buffer';
import { crc32, deflateSync } from 'node:zlib';

/** 12 x 8 pixels, with the metadata `Someone` (EXIF Copyright). */
const JPEG =
  '/9j/4QDQRXhpZgAASUkqAAgAAAAHABIBAwABAAAAAQAAABoBBQABAAAAYgAAABsBBQABAAAAagAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAJiCAgAIAAAAcgAAAGmHBAABAAAAegAAAAAAAAA4YwAA6AMAADhjAADoAwAAU29tZW9uZQAGAACQBwAEAAAAMDIxMAGRBwAEAAAAAQIDAACgBwAEAAAAMDEwMAGgAwABAAAA//8AAAKgBAABAAAADAAAAAOgBAABAAAACAAAAAAAAAD/2wBDAAoHBwgHBgoICAgLCgoLDhgQDg0NDh0VFhEYIx8lJCIfIiEmKzcvJik0KSEiMEExNDk7Pj4+JS5ESUM8SDc9Pjv/2wBDAQoLCw4NDhwQEBw7KCIoOzs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozv/wAARCAAIAAwDASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAUG/8QAGxAAAQQDAAAAAAAAAAAAAAAAAAEGI6EDBTH/xAAVAQEBAAAAAAAAAAAAAAAAAAACBP/EABoRAAICAwAAAAAAAAAAAAAAAAAEBTEDERP/2gAMAwEAAhEDEQA/AI2vaPI6NBhaMaR0ASsu5t2CEkWOdn//2Q==';
const WEBP =
  'UklGRkoAAABXRUJQVlA4ID4AAADQAQCdASoMAAgAAkA4JbACdAEOuuK0AAD++f2hGT6Iu2QgRpwml1sJc5A14b+/dd+1P+mz/DQH/adY2poAAA==';
const GIF = 'R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=';
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of a whole response; more than any client accepts. */
const LONG = 24 * 1024 * 1024;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

function header(width: number, height: number, interlaced: boolean): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 2, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', data);
}

const file = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))]);

/** Creates a file only once, because filling one takes seconds. */
function once(make: () => Buffer): () => Buffer {
  let result: Buffer | undefined;
  return () => (result ??= make());
}

const bomb = (width: number, height: number, interlaced = false) =>
  file(header(width, height, interlaced), chunk('IDAT', deflateSync(Buffer.alloc(32 * 1024 * 1024))));

/** Returns a PNG with metadata that inflates to 256 MiB. */
function textBomb(): Buffer {
  const text = deflateSync(Buffer.alloc(256 * 1024 * 1024));
  const pixels = deflateSync(Buffer.alloc(16 * (16 * 3 + 1), 90));
  return file(
    header(16, 16, false),
    chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), text])),
    chunk('IDAT', pixels),
  );
}

const bombs = {
  square: once(() => bomb(30_000, 30_000)),
  wide: once(() => bomb(100_000, 100)),
  interlaced: once(() => bomb(7_000, 7_000, true)),
  text: once(textBomb),
};

const base64 = (bytes: Buffer) => ({ b64_json: bytes.toString('base64'), media_type: 'image/png' });

const FAULTS: Record<string, (plain: Buffer) => unknown> = {
  jpeg: () => [{ b64_json: JPEG }],
  webp: () => [{ b64_json: WEBP, media_type: 'image/webp' }],
  gif: () => [{ b64_json: GIF, media_type: 'image/png' }],
  svg: () => [base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'))],
  truncated: (plain) => [base64(plain.subarray(0, Math.floor(plain.length / 2)))],
  damaged: (plain) => [base64(Buffer.concat([plain.subarray(0, 100), Buffer.alloc(plain.length - 100, 7)]))],
  bomb: () => [base64(bombs.square())],
  wide: () => [base64(bombs.wide())],
  interlaced: () => [base64(bombs.interlaced())],
  textbomb: () => [base64(bombs.text())],
  url: () => [{ url: 'http://127.0.0.1:9/picture.png' }],
  dataurl: (plain) => [{ b64_json: `data:image/png;base64,${plain.toString('base64')}` }],
  nobase64: () => [{ b64_json: '!!! not base64 !!!' }],
  number: () => [{ b64_json: 42 }],
  none: () => [],
  long: () => [{ b64_json: 'A'.repeat(LONG) }],
};

const names = Object.keys(FAULTS);

export const isPictureFault = (name: string): boolean => names.includes(name) || name === 'blocked';

export function faultyPictures(name: string, plain: Buffer): unknown {
  return FAULTS[name]?.(plain) ?? [];
}

/** Sent with status 400 (protocols.md 2.6). */
export const blockedAnswer = {
  error: {
    message: 'Your request was rejected by the safety system.',
    type: 'image_generation_user_error',
    param: null,
    code: 'moderation_blocked',
    moderation_details: { moderation_stage: 'input', categories: ['violence'] },
  },
};
