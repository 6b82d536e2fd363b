import { createHash } from 'node:crypto';
import { type AwaitedRun, startRun } from '#features/generations/service.server.ts';
import { m } from '#messages';
import { type Audio, readAudio } from '#platform/audio/read-audio.server.ts';
import { config } from '#platform/config/config.server.ts';
import { uploadSlots } from '#platform/files/upload-slots.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { dictationLimits } from './contract.ts';
import type { DictationPayload } from './dictation-tool.server.ts';

/** Per person. */
const ATTEMPTS = { max: 120, seconds: 3600 };
/** For all people in this process; each keeps up to 4 MiB in memory, 256 MiB in total. */
const MAX_CONCURRENT = 64;
/** The last chunks arrive after Stop. */
const SLACK_SECONDS = 5;

const withSlot = uploadSlots(1, m.dictation_running);
let runningCount = 0;

/** Allows one recording per person at a time, and refuses before reading its bytes. */
export const withDictationSlot = <T>({ userId }: UserActor, work: () => Promise<T>): Promise<T> =>
  withSlot(userId, async () => {
    if (runningCount >= MAX_CONCURRENT)
      throw new Problem('unavailable', m.dictation_busy(), { retryAfter: 5 });
    await enforceLimit(`dictations:${userId}`, ATTEMPTS);
    runningCount++;
    try {
      return await work();
    } finally {
      runningCount--;
    }
  });

/** @throws Problem if the bytes are not a recording, or it is too long */
function checkedAudio(bytes: Buffer): Audio {
  if (bytes.length === 0) throw new Problem('bad_request', m.dictation_silent());
  const audio = readAudio(bytes);
  if (!audio) throw new Problem('unsupported_type', m.dictation_unreadable());
  if (audio.seconds > dictationLimits.seconds + SLACK_SECONDS)
    throw new Problem('too_large', m.dictation_too_long({ minutes: dictationLimits.seconds / 60 }));
  if (audio.seconds === 0) throw new Problem('bad_request', m.dictation_silent());
  return audio;
}

/**
 * Starts a run. The recording is kept only in memory until the run ends, never in a table, file or log.
 * @throws Problem if refused
 */
export async function startDictation({
  actor,
  input: { bytes, key },
}: ActorInput<{ bytes: Buffer; key: string }>): Promise<AwaitedRun> {
  const audio = checkedAudio(bytes);
  const payload: DictationPayload = { kind: audio.kind, bytes: bytes.length, seconds: audio.seconds };
  const { generationId, fresh } = await startRun(actor, {
    feature: 'dictation',
    model: config().TRANSCRIPTION_MODEL ?? '',
    key,
    fingerprint: ['dictation', createHash('sha256').update(bytes).digest('base64')],
    payload,
    knownInput: () => audio,
  });
  return { id: generationId, userId: actor.userId, fresh };
}
