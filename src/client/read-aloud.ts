/** UTF-16 units; some browsers cut off longer utterances. */
const LONGEST_UTTERANCE = 240;
/** Some browsers load voices only when they are requested, and one without voices never fires the event. */
const VOICES_MS = 1_000;

export class MissingVoiceError extends Error {
  readonly language: string;
  constructor(language: string) {
    super(`no voice for ${language}`);
    this.language = language;
  }
}

/** Different codes for the same language, by voices and by detection. */
const aliases: Record<string, string> = { cmn: 'zh', nb: 'no', nn: 'no' };

function primary(language: string): string {
  const [code = ''] = language.toLowerCase().split(/[-_]/);
  return aliases[code] ?? code;
}

async function deviceVoices(): Promise<SpeechSynthesisVoice[]> {
  if (speechSynthesis.getVoices().length === 0)
    await new Promise<void>((resolve) => {
      speechSynthesis.addEventListener('voiceschanged', () => resolve(), { once: true });
      setTimeout(resolve, VOICES_MS);
    });
  // Other voices send the text to the browser's vendor.
  return speechSynthesis.getVoices().filter(({ localService }) => localService);
}

async function voiceFor(language: string): Promise<SpeechSynthesisVoice> {
  const voices = (await deviceVoices()).filter(({ lang }) => primary(lang) === primary(language));
  const preferred = navigator.languages.flatMap((each) =>
    voices.filter(({ lang }) => lang.replace('_', '-').toLowerCase() === each.toLowerCase()),
  );
  const voice = preferred[0] ?? voices.find((each) => each.default) ?? voices[0];
  if (!voice) throw new MissingVoiceError(language);
  return voice;
}

/** Groups whole sentences into utterances. */
function utterances(text: string, language: string): string[] {
  const parts: string[] = [];
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + segment.length <= LONGEST_UTTERANCE)
      parts[parts.length - 1] = last + segment;
    else parts.push(segment);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function speak(text: string, voice: SpeechSynthesisVoice): Promise<void> {
  return new Promise((resolve, reject) => {
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.onend = () => resolve();
    utterance.onerror = ({ error }) => reject(new Error(error));
    speechSynthesis.speak(utterance);
  });
}

let endPrevious = () => {};

export const canReadAloud = (): boolean => 'speechSynthesis' in window;

/**
 * Reads the text with a voice of this device, in its language, until it ends, the signal aborts or another text starts.
 * @param fallbackLanguage the language if the text is too short to detect one
 * @throws MissingVoiceError, or the browser's error
 */
export async function readAloud(
  text: string,
  { fallbackLanguage, signal }: { fallbackLanguage: string; signal: AbortSignal },
): Promise<void> {
  endPrevious();
  const ownController = new AbortController();
  const end = () => ownController.abort();
  endPrevious = end;
  const combinedSignal = AbortSignal.any([signal, ownController.signal]);
  const { detect } = await import('tinyld/light');
  const voice = await voiceFor(detect(text) || fallbackLanguage);
  if (combinedSignal.aborted) return;
  const stop = () => speechSynthesis.cancel();
  // A page that was left may still be speaking.
  stop();
  combinedSignal.addEventListener('abort', stop);
  addEventListener('pagehide', end);
  try {
    for (const part of utterances(text, voice.lang.replace('_', '-'))) {
      if (combinedSignal.aborted) return;
      await speak(part, voice);
    }
  } catch (error) {
    if (!combinedSignal.aborted) throw error;
  } finally {
    combinedSignal.removeEventListener('abort', stop);
    removeEventListener('pagehide', end);
  }
}
