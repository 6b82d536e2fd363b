/** Boxes whose children are read (ISO/IEC 14496-12). */
const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf']);

/** An AAC frame has 1,024 samples; browsers record 48,000 samples per second. */
const FRAME_SECONDS = 1_024 / 48_000;

const DEFAULT_DURATION = 0x08;
const DATA_OFFSET = 0x01;
const FIRST_FLAGS = 0x04;
const OWN_DURATION = 0x100;
const OTHER_FIELDS = [0x200, 0x400, 0x800];

interface Timeline {
  scale: number;
  frames: number;
  /** In units of `scale`. */
  duration: number;
  /** Duration of a frame for which a fragment does not specify one. */
  defaultDuration: number;
  isAudio: boolean;
}

const uint32At = (box: Buffer, at: number): number => (at + 4 <= box.length ? box.readUInt32BE(at) : 0);

function addTimeTable(box: Buffer, timeline: Timeline): void {
  const entries = Math.min(uint32At(box, 4), Math.floor((box.length - 8) / 8));
  for (let entry = 0; entry < entries; entry++) {
    const frames = uint32At(box, 8 + entry * 8);
    timeline.frames += frames;
    timeline.duration += frames * uint32At(box, 12 + entry * 8);
  }
}

function readFragmentDefaults(box: Buffer, timeline: Timeline): void {
  const flags = uint32At(box, 0);
  if (!(flags & DEFAULT_DURATION)) return;
  const before = (flags & 0x01 ? 8 : 0) + (flags & 0x02 ? 4 : 0);
  timeline.defaultDuration = uint32At(box, 8 + before);
}

function addRun(box: Buffer, timeline: Timeline): void {
  const flags = uint32At(box, 0);
  const frames = uint32At(box, 4);
  timeline.frames += frames;
  if (!(flags & OWN_DURATION)) {
    timeline.duration += frames * timeline.defaultDuration;
    return;
  }
  const start = 8 + (flags & DATA_OFFSET ? 4 : 0) + (flags & FIRST_FLAGS ? 4 : 0);
  const width = 4 + 4 * OTHER_FIELDS.filter((field) => flags & field).length;
  const listed = Math.min(frames, Math.floor((box.length - start) / width));
  for (let frame = 0; frame < listed; frame++) timeline.duration += uint32At(box, start + frame * width);
}

function readBox(name: string, box: Buffer, timeline: Timeline): void {
  if (name === 'mdhd') timeline.scale = uint32At(box, box[0] === 1 ? 20 : 12);
  else if (name === 'hdlr') timeline.isAudio ||= box.toString('latin1', 8, 12) === 'soun';
  else if (name === 'stts') addTimeTable(box, timeline);
  else if (name === 'trex') timeline.defaultDuration = uint32At(box, 12);
  else if (name === 'tfhd') readFragmentDefaults(box, timeline);
  else if (name === 'trun') addRun(box, timeline);
}

/** Seconds of audio in an MP4 file: the duration it states, but no less than its frames last. Null for other files. */
export function mp4Seconds(bytes: Buffer): number | null {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return null;
  const timeline: Timeline = { scale: 0, frames: 0, duration: 0, defaultDuration: 0, isAudio: false };
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = uint32At(bytes, at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (containers.has(name)) {
      at += 8;
      continue;
    }
    // Size 0 extends to the end of the file; 1 announces a 64-bit size, which files this small never need.
    const end = size < 8 ? bytes.length : at + size;
    readBox(name, bytes.subarray(at + 8, end), timeline);
    at = end;
  }
  const { scale, frames, duration, isAudio } = timeline;
  if (!isAudio || scale === 0) return null;
  return Math.max(duration / scale, frames * FRAME_SECONDS);
}
