import { local } from '../../../../client/storage.ts';
import { consentKey, readConsent } from '../../../../shared/consent.ts';
import { lengths, textTypes, tones, type WriterSettings } from '../../contract.ts';

type Remembered = Omit<WriterSettings, 'prompt'>;

const key = 'functional:writer';

/** The settings of the last text, where the visitor allows them to be remembered; null for none. */
export function readRemembered(): Remembered | null {
  try {
    const kept = JSON.parse(local.getItem(key) ?? 'null') as Partial<Remembered> | null;
    const type = textTypes.find((each) => each === kept?.type);
    const tone = tones.find((each) => each === kept?.tone);
    const length = lengths.find((each) => each === kept?.length);
    return type && tone && length ? { type, tone, length } : null;
  } catch {
    return null;
  }
}

/** Remembers the settings of a text for the next one, if the visitor allows it. */
export function remember({ type, tone, length }: Remembered): void {
  if (readConsent(local.getItem(consentKey))?.functional)
    local.setItem(key, JSON.stringify({ type, tone, length }));
}
