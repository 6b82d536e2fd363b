import { offeredSetting } from '#features/credits/contract.ts';
import type { SettingDefinition } from '#platform/settings/setting-definitions.server.ts';
import { flag, number } from '#platform/settings/setting-kinds.server.ts';
import { settingOr } from '#shared/settings.ts';

/** OpenAI's price for one minute of Whisper. */
const shippedMinuteUsd = 0.006;

export const dictationSettings: Readonly<Record<string, SettingDefinition>> = {
  [offeredSetting('dictation')]: {
    group: 'Tools',
    label: 'Dictation in chat',
    about:
      'Whether people can dictate a chat message; TRANSCRIPTION_MODEL sets the model. When off, the microphone disappears.',
    shipped: true,
    ...flag(),
  },
  'dictation.cost': {
    group: 'Models',
    label: 'Dictation cost',
    about:
      'Cost of a minute of dictation in US dollars, if the gateway does not report it with the call. It counts toward the daily cap. 0 for your own server.',
    shipped: shippedMinuteUsd,
    ...number({ min: 0, max: 100, unit: 'US dollars', fractions: true }),
  },
};

/** In millionths of a US dollar. */
export const costOfSpeech = (seconds: number): number =>
  Math.ceil((seconds / 60) * settingOr('dictation.cost', shippedMinuteUsd) * 1e6);
