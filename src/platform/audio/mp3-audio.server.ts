/** Kilobits per second by the index in a frame's header, for layer III: MPEG 1, then MPEG 2 and 2.5. */
const BITRATES = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const RATES = [44_100, 48_000, 32_000] as const;

interface Frame {
  bytes: number;
  seconds: number;
}

function frameAt(bytes: Buffer, at: number): Frame | null {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return null;
  const [second = 0, third = 0] = [bytes[at + 1], bytes[at + 2]];
  const version = (second >> 3) & 3;
  const isLayer3 = (second & 0xe6) === 0xe2;
  const rate = RATES[(third >> 2) & 3];
  if (!isLayer3 || version === 1 || rate === undefined) return null;
  const isMpeg1 = version === 3;
  const kilobits = BITRATES[isMpeg1 ? 0 : 1][(third >> 4) - 1];
  if (kilobits === undefined) return null;
  // MPEG 2 has half as many samples per second as MPEG 1, MPEG 2.5 a quarter.
  const samplesPerSecond = isMpeg1 ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = isMpeg1 ? 1_152 : 576;
  const length = Math.floor(((samples / 8) * kilobits * 1_000) / samplesPerSecond) + ((third >> 1) & 1);
  return { bytes: length, seconds: samples / samplesPerSecond };
}

/** Size of the ID3 tag before the audio; the tag stores its length with seven bits per byte. */
function tagLength(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < 10) return 0;
  return bytes.subarray(6, 10).reduce((sum, each) => sum * 128 + (each & 127), 0) + 10;
}

/** Seconds of an MP3 file, summed over its frames; null unless it starts with two valid frames. */
export function mp3Seconds(bytes: Buffer): number | null {
  const start = tagLength(bytes);
  const first = frameAt(bytes, start);
  if (!first || !frameAt(bytes, start + first.bytes)) return null;
  let seconds = 0;
  for (let at = start; at < bytes.length; ) {
    const frame = frameAt(bytes, at);
    seconds += frame?.seconds ?? 0;
    at += frame?.bytes ?? 1;
  }
  return seconds;
}
