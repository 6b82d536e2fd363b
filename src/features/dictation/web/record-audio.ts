/** Why recording is impossible. */
export type MicrophoneProblem = 'insecure' | 'refused' | 'missing' | 'failed';

export class MicrophoneError extends Error {
  readonly problem: MicrophoneProblem;
  constructor(problem: MicrophoneProblem) {
    super(`no recording: ${problem}`);
    this.problem = problem;
  }
}

/** Error names: https://www.w3.org/TR/mediacapture-streams/#dom-mediadevices-getusermedia. */
const problems: Record<string, MicrophoneProblem> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
};

/** Enough for speech; browsers default to a bit rate for music. */
const BITS_PER_SECOND = 32_000;
const CHUNK_MS = 1_000;

/** Uses the first one that the browser supports; Safari has MP4. */
const mimeTypes = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];

export interface AudioRecorder {
  /** From 0 (silence) to 1. */
  level(): number;
  /** Resolves with the recording after `stop`, at the time limit, or when the microphone is disconnected. */
  done: Promise<Blob>;
  stop(): void;
}

async function openMicrophone(): Promise<MediaStream> {
  if (!isSecureContext || !navigator.mediaDevices) throw new MicrophoneError('insecure');
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
    });
  } catch (error) {
    throw new MicrophoneError(problems[(error as Error).name] ?? 'failed');
  }
}

interface LevelMeter {
  level(): number;
  close(): void;
}

function levelMeter(stream: MediaStream): LevelMeter {
  const context = new AudioContext();
  // Safari may create it suspended.
  void context.resume();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      // Speech reaches about a quarter of the range.
      return Math.min(1, Math.sqrt(power) * 4);
    },
    close() {
      if (context.state !== 'closed') void context.close();
    },
  };
}

function startRecorder(stream: MediaStream): MediaRecorder {
  const mimeType = mimeTypes.find((type) => MediaRecorder.isTypeSupported(type));
  const options = { audioBitsPerSecond: BITS_PER_SECOND, ...(mimeType && { mimeType }) };
  const recorder = new MediaRecorder(stream, options);
  recorder.start(CHUNK_MS);
  return recorder;
}

/**
 * Starts recording. Releases the microphone as soon as the recording ends. After an abort, discards the recording, and
 * `done` never settles.
 * @throws MicrophoneError
 */
export async function recordAudio({
  maxMs,
  signal,
}: {
  maxMs: number;
  signal: AbortSignal;
}): Promise<AudioRecorder> {
  const stream = await openMicrophone();
  let meter: LevelMeter | undefined;
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
    meter?.close();
  };
  if (signal.aborted) release();
  signal.throwIfAborted();
  try {
    meter = levelMeter(stream);
    const { level } = meter;
    const recorder = startRecorder(stream);
    const chunks: Blob[] = [];
    const stop = () => {
      if (recorder.state !== 'inactive') recorder.stop();
      release();
    };
    const timer = setTimeout(stop, maxMs);
    signal.addEventListener('abort', stop);
    recorder.ondataavailable = ({ data }) => chunks.push(data);
    const done = new Promise<Blob>((resolve) => {
      recorder.onstop = () => {
        clearTimeout(timer);
        release();
        if (!signal.aborted) resolve(new Blob(chunks, { type: recorder.mimeType }));
      };
    });
    return { level, done, stop };
  } catch {
    release();
    throw new MicrophoneError('failed');
  }
}
