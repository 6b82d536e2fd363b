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
      'Whether people can dictate a chat message, where TRANSCRIPTION_MODEL names what writes it down. Off, the microphone disappears.',
    shipped: true,
    ...flag(),
  },
  'dictation.cost': {
    group: 'Models',
    label: 'Cost of dictation',
    about:
      'What a minute of dictation costs, in US dollars, where the gateway does not say it with the call; it counts for the cap of a day. 0 for a server of your own.',
    shipped: shippedMinuteUsd,
    ...number({ min: 0, max: 100, unit: 'US dollars', fractions: true }),
  },
};

/** In millionths of a US dollar. */
export const costOfSpeech = (seconds: number): number =>
  Math.ceil((seconds / 60) * settingOr('dictation.cost', shippedMinuteUsd) * 1e6);
