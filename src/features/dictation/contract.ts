/** Of one recording. */
export const dictationLimits = {
  seconds: 120,
  /** Two minutes as browsers record them, and as much again. */
  bytes: 4 * 1024 * 1024,
} as const;

export const dictationPath = '/api/dictations';

/** Answer of `POST /api/dictations`, whose body is the recording: once what was said has been written down. */
export interface Dictation {
  text: string;
  creditsUsed: number;
  /** Null on an unlimited plan. */
  credits: number | null;
}
