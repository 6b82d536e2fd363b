import { callFailure, requestTranscript } from '#features/generations/service.server.ts';
import { silentWav } from '#platform/audio/silent-wav.server.ts';
import { type Config, transcriptionGateway } from '#platform/config/config.server.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Dictation';

function failureFinding(error: unknown, model: string, names: { url: string; key: string }): Finding {
  const failure = callFailure(error);
  if (!failure) throw error;
  const { status, kind } = failure;
  if (status === null)
    return wrong(ABOUT, `${names.url} does not respond like a gateway (${kind}). Check the server there.`);
  if (status === 401 || status === 403)
    return wrong(ABOUT, `The gateway rejected ${names.key}. Check the key.`);
  if (status === 400 || status === 404)
    return wrong(
      ABOUT,
      `The gateway can't transcribe with ${model} (status ${status}). Set TRANSCRIPTION_MODEL to another model, or TRANSCRIPTION_BASE_URL to an address that has /audio/transcriptions.`,
    );
  return wrong(ABOUT, `The gateway is having problems (status ${status}). Check it, and ${names.url}.`);
}

/** Makes a request only with `spend`. */
export async function checkTranscription(config: Config, spend: boolean): Promise<Finding[]> {
  const gateway = transcriptionGateway(config);
  if (!gateway) return [notSet(ABOUT, 'Dictation is off. To offer it, set TRANSCRIPTION_MODEL.')];
  if (gateway.baseUrl === '')
    return [notSet(ABOUT, 'A local stand-in answers. It does not transcribe what people say.')];
  if (!spend)
    return [
      note(ABOUT, `${gateway.model} was not tested. npm run doctor -- --spend sends it a second of silence.`),
    ];
  const isSeparate = config.TRANSCRIPTION_BASE_URL !== undefined;
  const names = {
    url: isSeparate ? 'TRANSCRIPTION_BASE_URL' : 'LLM_BASE_URL',
    key: isSeparate ? 'TRANSCRIPTION_API_KEY' : 'LLM_API_KEY',
  };
  try {
    await requestTranscript({
      ...gateway,
      ...{ audio: silentWav(1), type: 'audio/wav', ending: 'wav', requestId: 'doctor' },
      bounds: { totalMs: 30_000, bytes: 64 * 1024 },
      signal: new AbortController().signal,
    });
    return [ok(ABOUT, `${gateway.model} accepted a second of silence.`)];
  } catch (error) {
    return [failureFinding(error, gateway.model, names)];
  }
}
