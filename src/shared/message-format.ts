/**
 * Called by compiled messages (vite/messages/compile.ts). Creating an Intl formatter takes about 50 µs and using it 1
 * µs, so each is cached.
 */
const cache = new Map<string, unknown>();

function cached<T>(key: string, create: () => T): T {
  if (!cache.has(key)) cache.set(key, create());
  return cache.get(key) as T;
}

export const messageFormat = {
  plural(
    locale: string,
    exact: number,
    count: number,
    forms: Record<string, () => string>,
    type: Intl.PluralRuleType = 'cardinal',
  ): string {
    const rules = cached(`${type} ${locale}`, () => new Intl.PluralRules(locale, { type }));
    const form = forms[`=${exact}`] ?? forms[rules.select(count)] ?? forms.other;
    return form?.() ?? '';
  },
  number(locale: string, value: number, options?: Intl.NumberFormatOptions): string {
    return cached(
      `${locale} ${JSON.stringify(options)}`,
      () => new Intl.NumberFormat(locale, options),
    ).format(value);
  },
  date(locale: string, value: Date | number, options: Intl.DateTimeFormatOptions): string {
    return cached(
      `${locale} ${JSON.stringify(options)}`,
      () => new Intl.DateTimeFormat(locale, options),
    ).format(value);
  },
};
