import { RunFailure, type Tool, transcribe } from '#features/generations/service.server.ts';
import { m } from '#messages';
import type { Audio } from '#platform/audio/read-audio.server.ts';
import { costOfSpeech } from './dictation-settings.server.ts';

/** Of the recording, which itself is in memory alone. */
export interface DictationPayload {
  kind: string;
  bytes: number;
  seconds: number;
}

const bounds = { totalMs: 90_000, bytes: 64 * 1024 };

/** A run that a crash ends is not begun anew: nothing has kept what was said. */
export const dictationTool: Tool<DictationPayload> = {
  feature: 'dictation',
  failures: { dictation_silent: m.dictation_silent },
  async *run(context, _, recalled) {
    const { bytes, kind, type, seconds } = recalled as Audio;
    const costMicros = costOfSpeech(seconds);
    const asked = { context, purpose: 'dictation', audio: bytes, type, ending: kind, bounds, costMicros };
    const text = await transcribe(asked);
    if (text === '') throw new RunFailure('empty', 'dictation_silent');
    yield text;
    return { finish: 'stop' };
  },
  store: (_, closing) => closing,
};
