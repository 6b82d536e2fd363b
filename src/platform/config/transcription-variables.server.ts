import { variable } from './described-variable.server.ts';
import { text, url } from './variable-kinds.server.ts';

export const transcription = {
  TRANSCRIPTION_MODEL: variable(text(), {
    group: 'Models',
    about:
      'Model that transcribes what people dictate into a chat message, through POST /audio/transcriptions as at OpenAI and OpenRouter. Unset: dictation is not offered.',
    example: 'openai/whisper-1',
  }),
  TRANSCRIPTION_BASE_URL: variable(url().optional(), {
    group: 'Models',
    about: 'Base URL of an OpenAI-compatible API that transcribes. Unset: LLM_BASE_URL.',
    example: 'https://api.openai.com/v1',
  }),
  TRANSCRIPTION_API_KEY: variable(text(), {
    group: 'Models',
    about: 'Key for TRANSCRIPTION_BASE_URL. Unset: LLM_API_KEY, if both addresses have the same host.',
    secret: true,
  }),
};
