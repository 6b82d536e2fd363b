import { locale, locales, m } from '#messages';
import { textDirection } from '#shared/language-path.ts';

const ownName = (language: string) =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;

export function LanguageSwitch() {
  if (locales.length === 1) return null;
  return (
    <form method="post" action="/api/language">
      <fieldset className="flex flex-wrap gap-x-4">
        <legend className="visually-hidden">{m.language_label()}</legend>
        {locales.map((language) => (
          <button
            key={language}
            type="submit"
            className="min-h-7 pointer-coarse:min-h-11 text-start underline-offset-4 hover:underline aria-[current]:font-semibold"
            name="language"
            value={language}
            lang={language}
            dir={textDirection(language)}
            aria-current={language === locale() ? 'true' : undefined}
          >
            {ownName(language)}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
