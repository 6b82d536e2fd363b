/**
 * Called by compiled messages (vite/messages/compile.ts). Creating an Intl formatter takes about 50 µs and using it 1
 * µs, so each is cached.
 */
const kept = new Map<string, unknown>();

function once<T>(key: string, make: () => T): T {
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key) as T;
}

export const messageFormat = {
  plural(
    locale: string,
    exact: number,
    count: number,
    forms: Record<string, () => string>,
    type: Intl.PluralRuleType = 'cardinal',
  ): string {
    const rules = once(`${type} ${locale}`, () => new Intl.PluralRules(locale, { type }));
    const form = forms[`=${exact}`] ?? forms[rules.select(count)] ?? forms.other;
    return form?.() ?? '';
  },
  number(locale: string, value: number, options?: Intl.NumberFormatOptions): string {
    return once(`${locale} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options)).format(
      value,
    );
  },
  date(locale: string, value: Date | number, options: Intl.DateTimeFormatOptions): string {
    return once(
      `${locale} ${JSON.stringify(options)}`,
      () => new Intl.DateTimeFormat(locale, options),
    ).format(value);
  },
};
