import { callFailure, requestTranscript } from '#features/generations/service.server.ts';
import { silentWav } from '#platform/audio/silent-wav.server.ts';
import { type Config, transcriptionGateway } from '#platform/config/config.server.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Dictation';

function failed(error: unknown, model: string, names: { url: string; key: string }): Finding {
  const failure = callFailure(error);
  if (!failure) throw error;
  const { status, kind } = failure;
  if (status === null)
    return wrong(
      ABOUT,
      `${names.url} does not answer as a gateway does (${kind}): look at the server there.`,
    );
  if (status === 401 || status === 403) return wrong(ABOUT, `The gateway refuses ${names.key}: correct it.`);
  if (status === 400 || status === 404)
    return wrong(
      ABOUT,
      `The gateway does not transcribe with ${model} (status ${status}): set TRANSCRIPTION_MODEL to another, or TRANSCRIPTION_BASE_URL to an address that has /audio/transcriptions.`,
    );
  return wrong(ABOUT, `The gateway has a problem (status ${status}): look at it, and at ${names.url}.`);
}

/** Only with `spends` something is sent. */
export async function transcription(config: Config, spends: boolean): Promise<Finding[]> {
  const gateway = transcriptionGateway(config);
  if (!gateway) return [notSet(ABOUT, 'It is not offered; TRANSCRIPTION_MODEL names what writes it down.')];
  if (gateway.baseUrl === '') return [notSet(ABOUT, 'A local stand-in answers, which cannot hear.')];
  if (!spends)
    return [
      note(ABOUT, `${gateway.model} was not tried; npm run doctor -- --spend sends it a second of silence.`),
    ];
  const own = config.TRANSCRIPTION_BASE_URL !== undefined;
  const names = {
    url: own ? 'TRANSCRIPTION_BASE_URL' : 'LLM_BASE_URL',
    key: own ? 'TRANSCRIPTION_API_KEY' : 'LLM_API_KEY',
  };
  try {
    await requestTranscript({
      ...gateway,
      ...{ audio: silentWav(1), type: 'audio/wav', ending: 'wav', requestId: 'doctor' },
      bounds: { totalMs: 30_000, bytes: 64 * 1024 },
      signal: new AbortController().signal,
    });
    return [ok(ABOUT, `${gateway.model} took a second of silence.`)];
  } catch (error) {
    return [failed(error, gateway.model, names)];
  }
}
