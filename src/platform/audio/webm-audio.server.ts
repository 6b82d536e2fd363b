import { opusSeconds } from './opus-packet.server.ts';

/** https://www.matroska.org/technical/elements.html */
const EBML = 0x1a45dfa3;
const CODEC = 0x86;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;
/** Segment, Cluster, Tracks, TrackEntry, BlockGroup: their children are read, whatever length they state. */
const containers = new Set([0x18538067, 0x1f43b675, 0x1654ae6b, 0xae, 0xa0]);

const LACED = 0x06;

interface VariableInteger {
  value: number;
  length: number;
}

/** The leading bits of the first byte determine the length; an identifier keeps its marker bit. */
function variableInteger(bytes: Buffer, at: number, keepsMarker: boolean): VariableInteger | null {
  const first = bytes[at];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return null;
  let value = keepsMarker ? first : first & (0xff >> length);
  for (let offset = 1; offset < length; offset++) value = value * 256 + (bytes[at + offset] ?? 0);
  return { value, length };
}

/** Returns null for a block that combines several packets (lacing), which browsers do not record. */
function blockSeconds(block: Buffer): number | null {
  const track = variableInteger(block, 0, false);
  if (!track) return 0;
  // Two bytes of time, then one of flags.
  const flags = block[track.length + 2];
  if (flags === undefined) return 0;
  return flags & LACED ? null : opusSeconds(block[track.length + 3], block[track.length + 4]);
}

/** Seconds of Opus audio in a WebM file; null for other files and other codecs. */
export function webmSeconds(bytes: Buffer): number | null {
  if (bytes.length < 4 || bytes.readUInt32BE(0) !== EBML) return null;
  let seconds = 0;
  let isOpus = false;
  for (let at = 0; at < bytes.length; ) {
    const id = variableInteger(bytes, at, true);
    const size = id && variableInteger(bytes, at + id.length, false);
    if (!id || !size) break;
    const start = at + id.length + size.length;
    if (containers.has(id.value)) {
      at = start;
      continue;
    }
    const content = bytes.subarray(start, start + size.value);
    if (id.value === CODEC) {
      if (content.toString('latin1') !== 'A_OPUS') return null;
      isOpus = true;
    }
    if (id.value === SIMPLE_BLOCK || id.value === BLOCK) {
      const more = blockSeconds(content);
      if (more === null) return null;
      seconds += more;
    }
    at = start + size.value;
  }
  return isOpus ? seconds : null;
}
