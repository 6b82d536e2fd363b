import { opusSeconds } from './opus-packet.server.ts';

/** RFC 3533, 6: the size of a page's header before its segment table. */
const HEADER = 27;
/** A segment of this size means that the packet continues in the next segment. */
const FULL_SEGMENT = 255;

const isPage = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4) === 'OggS';

/** Yields where each packet starts, and whether it is the first of the stream. */
function* packets(bytes: Buffer): Generator<{ start: number; isFirst: boolean }, void, void> {
  let continues = false;
  let isFirst = true;
  for (let page = 0; isPage(bytes, page); ) {
    const segments = bytes[page + HEADER - 1] ?? 0;
    const table = bytes.subarray(page + HEADER, page + HEADER + segments);
    let at = page + HEADER + segments;
    for (const size of table) {
      if (!continues && at < bytes.length) {
        yield { start: at, isFirst };
        isFirst = false;
      }
      continues = size === FULL_SEGMENT;
      at += size;
    }
    page = at;
  }
}

/** Seconds of Opus audio in an Ogg file (RFC 7845); null for other files and other codecs. */
export function oggSeconds(bytes: Buffer): number | null {
  let seconds = 0;
  let isOpus = false;
  for (const { start, isFirst } of packets(bytes)) {
    const name = bytes.toString('latin1', start, start + 8);
    if (isFirst && name !== 'OpusHead') return null;
    isOpus = true;
    if (name !== 'OpusHead' && name !== 'OpusTags') seconds += opusSeconds(bytes[start], bytes[start + 1]);
  }
  return isOpus ? seconds : null;
}
