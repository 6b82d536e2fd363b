/** Limits per recording. */
export const dictationLimits = {
  seconds: 120,
  /** Twice the size of two minutes as browsers record them. */
  bytes: 4 * 1024 * 1024,
} as const;

export const dictationPath = '/api/dictations';

/** Response of `POST /api/dictations`, whose body is the recording; sent after the transcription. */
export interface Dictation {
  text: string;
  creditsUsed: number;
  /** Null on an unlimited plan. */
  credits: number | null;
}
