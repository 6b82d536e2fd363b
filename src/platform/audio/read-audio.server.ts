import { mp3Seconds } from './mp3-audio.server.ts';
import { mp4Seconds } from './mp4-audio.server.ts';
import { oggSeconds } from './ogg-audio.server.ts';
import { wavSeconds } from './wav-audio.server.ts';
import { webmSeconds } from './webm-audio.server.ts';

const kinds = {
  webm: { type: 'audio/webm', seconds: webmSeconds },
  ogg: { type: 'audio/ogg', seconds: oggSeconds },
  mp4: { type: 'audio/mp4', seconds: mp4Seconds },
  wav: { type: 'audio/wav', seconds: wavSeconds },
  mp3: { type: 'audio/mpeg', seconds: mp3Seconds },
} as const;

export interface Audio {
  bytes: Buffer;
  /** Also the file extension. */
  kind: keyof typeof kinds;
  type: string;
  seconds: number;
}

/** Detects the format from the bytes alone; null for any other format. */
export function readAudio(bytes: Buffer): Audio | null {
  for (const [kind, { type, seconds: measure }] of Object.entries(kinds)) {
    const seconds = measure(bytes);
    // Rounded, because summing packets adds floating-point noise.
    if (seconds !== null)
      return { bytes, kind: kind as Audio['kind'], type, seconds: Math.round(seconds * 1_000) / 1_000 };
  }
  return null;
}
