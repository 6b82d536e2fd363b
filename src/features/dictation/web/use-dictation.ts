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
  | { status: 'asking' }
  | { status: 'recording'; recorder: AudioRecorder; since: number }
  | { status: 'transcribing' }
  /** `retry` retries with the same recording; null if that cannot help. */
  | { status: 'failed'; text: string; retry: (() => void) | null };

const microphoneTexts: Record<MicrophoneProblem, () => string> = {
  insecure: m.dictation_insecure,
  refused: m.dictation_refused,
  missing: m.dictation_no_microphone,
  failed: m.dictation_failed,
};

/** After these errors a retry needs a new key: the run of the old one has ended without a text. */
const settled: readonly ProblemCode[] = ['gone', 'bad_request', 'unavailable', 'spend_cap', 'key_reused'];

/** Sending the same recording again would fail again. */
const permanent: readonly ProblemCode[] = ['bad_request', 'unsupported_type', 'too_large', 'tool_off'];

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
  const [state, setState] = useState<DictationState>({ status: 'asking' });
  const latest = useRef({ onDictated, onClose });
  useEffect(() => {
    latest.current = { onDictated, onClose };
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const fail = (text: string, retry: (() => void) | null) => {
      if (!signal.aborted) setState({ status: 'failed', text, retry });
    };
    const send = async (recording: Recording) => {
      setState({ status: 'transcribing' });
      announce(m.dictation_transcribing());
      try {
        const dictation = await transcribe(recording, signal);
        latest.current.onDictated(dictation);
        announce(m.dictation_added());
        latest.current.onClose();
      } catch (error) {
        const code = error instanceof ProblemError ? error.body.code : undefined;
        const message = error instanceof ProblemError ? error.message : m.common_connection_lost();
        if (code && permanent.includes(code)) return fail(message, null);
        const retried = code && settled.includes(code) ? { ...recording, key: newUuid() } : recording;
        fail(m.dictation_kept({ problem: message }), () => void send(retried));
      }
    };
    const record = async () => {
      try {
        const recorder = await recordAudio({ maxMs: dictationLimits.seconds * 1_000, signal });
        setState({ status: 'recording', recorder, since: performance.now() });
        announce(m.dictation_recording_limit({ minutes: dictationLimits.seconds / 60 }));
        await send({ audio: await recorder.done, key: newUuid() });
      } catch (error) {
        fail(microphoneTexts[error instanceof MicrophoneError ? error.problem : 'failed'](), null);
      }
    };
    void record();
    return () => controller.abort();
  }, []);
  return state;
}
