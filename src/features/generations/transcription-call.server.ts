import { config, transcriptionGateway } from '#platform/config/config.server.ts';
import { GatewayError } from './gateway/gateway-error.ts';
import { requestTranscript, type TranscriptionRequest } from './gateway/transcription.server.ts';
import { type CallOrigin, record } from './model-calls.server.ts';

interface TranscriptionCall
  extends CallOrigin,
    Pick<TranscriptionRequest, 'audio' | 'type' | 'ending' | 'bounds'> {
  /** Counts if the gateway reports no cost; millionths of a US dollar. */
  costMicros: number;
}

/** Uses the model that the run was started with; returns '' if nothing was recognized. @throws as `streamText`. */
export async function transcribe(call: TranscriptionCall): Promise<string> {
  const { context, audio, type, ending, bounds, costMicros } = call;
  const { model, signal } = context;
  const gateway = transcriptionGateway(config());
  const recorder = await record(call, {
    model: model.id,
    modality: 'transcript',
    sent: 0,
    received: 0,
    spokenMicros: costMicros,
  });
  try {
    if (!gateway) throw new GatewayError('refused', 'No model of dictation is set', { blame: 'ours' });
    const { text, usage, upstreamId } = await requestTranscript({
      ...gateway,
      model: model.id,
      ...{ audio, type, ending, bounds, signal },
      requestId: recorder.id,
      referer: config().publicUrl,
      title: 'AI tools',
      onHead: recorder.onHead,
    });
    await recorder.done({ finish: 'stop', usage, upstreamId });
    return text;
  } catch (error) {
    await recorder.failed(error);
    throw error;
  }
}
