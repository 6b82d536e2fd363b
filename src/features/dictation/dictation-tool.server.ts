import { RunFailure, type Tool, transcribe } from '#features/generations/service.server.ts';
import { m } from '#messages';
import type { Audio } from '#platform/audio/read-audio.server.ts';
import { costOfSpeech } from './dictation-settings.server.ts';

/** Facts about the recording, which itself is only kept in memory. */
export interface DictationPayload {
  kind: string;
  bytes: number;
  seconds: number;
}

const bounds = { totalMs: 90_000, bytes: 64 * 1024 };

/** A run that a crash interrupts is not restarted, because the recording is lost. */
export const dictationTool: Tool<DictationPayload> = {
  feature: 'dictation',
  failures: { dictation_silent: m.dictation_silent },
  async *run(context, _, input) {
    const { bytes, kind, type, seconds } = input as Audio;
    const costMicros = costOfSpeech(seconds);
    const request = { context, purpose: 'dictation', audio: bytes, type, ending: kind, bounds, costMicros };
    const text = await transcribe(request);
    if (text === '') throw new RunFailure('empty', 'dictation_silent');
    yield text;
    return { finish: 'stop' };
  },
  store: (_, closing) => closing,
};
