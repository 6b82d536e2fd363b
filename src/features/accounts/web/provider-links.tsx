import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { ProviderMark } from '#ui/provider-mark.tsx';
import type { ProviderName } from '../contract.ts';
import { providerLabels } from '../identities/provider-labels.ts';

export function ProviderLinks({
  providers,
  next,
}: {
  providers: readonly ProviderName[];
  next: string | null;
}) {
  if (providers.length === 0) return null;
  const query = next ? `?${new URLSearchParams({ next })}` : '';
  return (
    <div className="grid gap-3">
      {providers.map((provider) => (
        <Button key={provider} size="lg" href={`/api/auth/${provider}${query}`}>
          <ProviderMark provider={provider} />
          {m.sign_in_continue_with({ provider: providerLabels[provider] })}
        </Button>
      ))}
      <p className="or-line mt-1">{m.common_or()}</p>
    </div>
  );
}
