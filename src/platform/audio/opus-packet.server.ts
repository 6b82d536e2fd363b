/** RFC 6716, 3.1: milliseconds per frame, by the configuration in the first byte. */
const SILK = [10, 20, 40, 60];
const HYBRID = [10, 20];
const CELT = [2.5, 5, 10, 20];

/** The longest packet that the format allows. */
const MAX_MS = 120;

function frameMs(configuration: number): number {
  if (configuration < 12) return SILK[configuration % 4] ?? 0;
  if (configuration < 16) return HYBRID[configuration % 2] ?? 0;
  return CELT[configuration % 4] ?? 0;
}

function frames(first: number, second: number): number {
  const code = first & 3;
  if (code === 3) return second & 63;
  return code === 0 ? 1 : 2;
}

/** Seconds that a decoder makes of the packet, whatever the container claims. */
export function opusSeconds(first: number | undefined, second: number | undefined): number {
  if (first === undefined) return 0;
  return Math.min(MAX_MS, frameMs(first >> 3) * frames(first, second ?? 0)) / 1_000;
}
