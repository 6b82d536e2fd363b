import { locale, m } from '#messages';
import { utcDate } from '#shared/format-date.ts';
import { LocalTime } from '#ui/local-time.tsx';
import type { ApiKey, KeyScope } from '../../api-keys/api-keys-contract.ts';

export const scopeNames: Record<KeyScope, () => string> = {
  chat: m.api_key_scope_chat,
  images: m.api_key_scope_images,
};

function endText({ endsOn, ended }: ApiKey): string | null {
  if (endsOn === null) return null;
  const date = utcDate(new Date(`${endsOn}T00:00:00Z`));
  return ended ? m.api_key_ended({ date }) : m.api_key_ends({ date });
}

export function ApiKeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { scopes, ceiling, month, usedAt } = apiKey;
  const access = new Intl.ListFormat(locale(), { type: 'unit' }).format(
    scopes.map((scope) => scopeNames[scope]()),
  );
  const end = endText(apiKey);
  return (
    <ul className="hint">
      <li>{access}</li>
      {ceiling === null ? null : <li>{m.api_key_ceiling_is({ count: ceiling })}</li>}
      {end ? <li>{end}</li> : null}
      <li>{m.api_key_month(month)}</li>
      <li>{usedAt ? m.api_key_used({ time: () => <LocalTime iso={usedAt} /> }) : m.api_key_never_used()}</li>
    </ul>
  );
}
