import { locale, m } from '#messages';
import { textDirection } from '#shared/language-path.ts';
import { messageFormat } from '#shared/message-format.ts';

export function formatMoney(cents: number, currency = 'USD'): string {
  const text = messageFormat.number(locale(), cents / 100, { style: 'currency', currency });
  // Isolates the amount as left-to-right; Intl's own mark would separate the currency's letters from its sign.
  return textDirection(locale()) === 'rtl' ? `\u2066${text.replace('\u200f', '')}\u2069` : text;
}

export const formatCredits = (count: number): string => m.common_credits({ count });
