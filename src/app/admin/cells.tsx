import { decimalAmount } from '#shared/decimal-amount.ts';
import { formatMinute } from '../commands/terminal-output.server.ts';

export function Time({ at }: { at: Date | null }) {
  return at ? (
    <time className="whitespace-nowrap" dateTime={at.toISOString()}>
      {formatMinute(at)}
    </time>
  ) : null;
}

export const toIso = (at: Date | null) => at?.toISOString() ?? null;

export function PersonLink({ id, email }: { id: string | null; email: string | null }) {
  return id ? (
    <a className="link" href={`/admin/people/${id}`}>
      {email ?? 'Erased'}
    </a>
  ) : null;
}

/** Turns a stored plan name into its shown form, for example `pro` into `Pro`. */
export const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const formatAmount = (cents: number, currency: string) => `${decimalAmount(cents)} ${currency}`;
