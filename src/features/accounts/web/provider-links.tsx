import { ProviderMark } from '../../../ui/provider-mark.tsx';
import type { ProviderName } from '../contract.ts';
import { providerLabels } from '../identities/contract.ts';

/** The providers that the operator has set up, as plain links: they need no scripts. */
export function ProviderLinks({
  providers,
  next,
}: {
  providers: readonly ProviderName[];
  /** Path of ours to go to afterwards. */
  next: string | null;
}) {
  if (providers.length === 0) return null;
  const query = next ? `?${new URLSearchParams({ next })}` : '';
  return (
    <div className="grid gap-3">
      {providers.map((provider) => (
        <a key={provider} className="btn btn-secondary btn-lg" href={`/api/auth/${provider}${query}`}>
          <ProviderMark provider={provider} />
          {`Continue with ${providerLabels[provider]}`}
        </a>
      ))}
      <p className="or-line mt-1">or</p>
    </div>
  );
}
