import { variable } from './described-variable.server.ts';
import { text, url } from './variable-kinds.server.ts';

export const transcription = {
  TRANSCRIPTION_MODEL: variable(text(), {
    group: 'Models',
    about:
      'Model that writes down what people dictate into a chat message, by POST /audio/transcriptions as OpenAI and OpenRouter have it. Unset: none, and dictation is not offered.',
    example: 'openai/whisper-1',
  }),
  TRANSCRIPTION_BASE_URL: variable(url().optional(), {
    group: 'Models',
    about: 'OpenAI-compatible address that transcribes. Unset: LLM_BASE_URL.',
    example: 'https://api.openai.com/v1',
  }),
  TRANSCRIPTION_API_KEY: variable(text(), {
    group: 'Models',
    about: 'Key for TRANSCRIPTION_BASE_URL. Unset: LLM_API_KEY, where the two addresses have the same host.',
    secret: true,
  }),
};
