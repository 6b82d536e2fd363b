import { locale, m } from '#messages';
import { baseLanguage } from '#shared/language-path.ts';

export function EnglishOnly() {
  return locale() === baseLanguage ? null : <p className="muted text-sm">{m.common_english_only()}</p>;
}
