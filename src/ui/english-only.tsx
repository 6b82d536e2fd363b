import { locale, m } from '#messages';
import { baseLanguage } from '#shared/language-path.ts';

/** Says in a page of another language that what it holds has not been translated. */
export function EnglishOnly() {
  return locale() === baseLanguage ? null : <p className="muted text-sm">{m.common_english_only()}</p>;
}
