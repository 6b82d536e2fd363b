import { useEffect, useRef, useState } from 'react';
import { announce } from '#client/announce.ts';
import { request } from '#client/api-request.ts';
import { ProblemError } from '#client/problem-error.ts';
import { newUuid } from '#client/uuid.ts';
import { paidHeaders } from '#features/generations/web/idempotency-keys.ts';
import { m } from '#messages';
import type { ProblemCode } from '#shared/problem-codes.ts';
import { type Dictation, dictationLimits, dictationPath } from '../contract.ts';
import { type AudioRecorder, MicrophoneError, type MicrophoneProblem, recordAudio } from './record-audio.ts';

export type DictationState =
  | { is: 'asking' }
  | { is: 'recording'; recorder: AudioRecorder; since: number }
  | { is: 'transcribing' }
  /** `again` retries with the same recording; null if that cannot help. */
  | { is: 'failed'; text: string; again: (() => void) | null };

const microphoneTexts: Record<MicrophoneProblem, () => string> = {
  insecure: m.dictation_insecure,
  refused: m.dictation_refused,
  missing: m.dictation_no_microphone,
  failed: m.dictation_failed,
};

/** After these errors a retry needs a new key: the run of the old one has ended without a text. */
const settled: readonly ProblemCode[] = ['gone', 'bad_request', 'unavailable', 'spend_cap', 'key_reused'];

/** Sending the same recording again would fail again. */
const lasting: readonly ProblemCode[] = ['bad_request', 'unsupported_type', 'too_large', 'tool_off'];

interface Recording {
  audio: Blob;
  /** Idempotency key: a recording whose response was lost is transcribed and charged only once. */
  key: string;
}

const transcribe = ({ audio, key }: Recording, signal: AbortSignal): Promise<Dictation> =>
  request<Dictation>(dictationPath, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': audio.type.split(';')[0] ?? '',
      ...paidHeaders(key),
    },
    body: audio,
    signal,
  });

interface DictationEvents {
  onDictated: (dictation: Dictation) => void;
  onClose: () => void;
}

/** Starts recording on mount. On unmount, releases the microphone and aborts the request. */
export function useDictation({ onDictated, onClose }: DictationEvents) {
  const [state, setState] = useState<DictationState>({ is: 'asking' });
  const told = useRef({ onDictated, onClose });
  useEffect(() => {
    told.current = { onDictated, onClose };
  });
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const fail = (text: string, again: (() => void) | null) => {
      if (!signal.aborted) setState({ is: 'failed', text, again });
    };
    const send = async (recording: Recording) => {
      setState({ is: 'transcribing' });
      announce(m.dictation_transcribing());
      try {
        const dictation = await transcribe(recording, signal);
        told.current.onDictated(dictation);
        announce(m.dictation_added());
        told.current.onClose();
      } catch (error) {
        const code = error instanceof ProblemError ? error.body.code : undefined;
        const words = error instanceof ProblemError ? error.message : m.common_connection_lost();
        if (code && lasting.includes(code)) return fail(words, null);
        const next = code && settled.includes(code) ? { ...recording, key: newUuid() } : recording;
        fail(m.dictation_kept({ problem: words }), () => void send(next));
      }
    };
    const record = async () => {
      try {
        const recorder = await recordAudio({ longestMs: dictationLimits.seconds * 1_000, signal });
        setState({ is: 'recording', recorder, since: performance.now() });
        announce(m.dictation_recording_limit({ minutes: dictationLimits.seconds / 60 }));
        await send({ audio: await recorder.done, key: newUuid() });
      } catch (error) {
        fail(microphoneTexts[error instanceof MicrophoneError ? error.problem : 'failed'](), null);
      }
    };
    void record();
    return () => gone.abort();
  }, []);
  return state;
}
