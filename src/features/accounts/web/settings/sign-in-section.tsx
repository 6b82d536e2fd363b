import { useLoadedState } from '#client/use-loaded-state.ts';
import { useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { ProviderName } from '../../contract.ts';
import { providerLabels } from '../../identities/provider-labels.ts';
import { removeProvider } from './settings-api.ts';
import { ErrorLine, SettingsSection } from './settings-section.tsx';

const HEADING = 'settings-sign-in';

const row =
  'flex flex-wrap items-center justify-between gap-3 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0';

interface ProviderProps {
  name: ProviderName;
  busy: boolean;
  onRemove: () => void;
}

function Provider({ name, busy, onRemove }: ProviderProps) {
  const hint = `sign-in-${name}-hint`;
  return (
    <li className={row}>
      <div>
        <p className="text-sm font-semibold">{providerLabels[name]}</p>
        <p className="hint" id={hint}>
          {m.settings_provider_hint()}
        </p>
      </div>
      <Button aria-describedby={hint} aria-busy={busy} onClick={onRemove}>
        {m.settings_provider_remove({ provider: providerLabels[name] })}
      </Button>
    </li>
  );
}

export function SignInSection({ email, providers }: { email: string; providers: ProviderName[] }) {
  const [linked, setLinked] = useLoadedState(providers);
  const { busy, error, change } = useMutation(HEADING);
  const remove = (name: ProviderName) =>
    change({
      key: name,
      work: () => removeProvider(name),
      apply: () => setLinked((now) => now.filter((one) => one !== name)),
      done: m.settings_provider_removed({ provider: providerLabels[name] }),
    });
  return (
    <SettingsSection id={HEADING} title={m.settings_sign_in()}>
      <ul>
        <li className={row}>
          <div className="min-w-0">
            <p className="text-sm font-semibold wrap-anywhere">{email}</p>
            <p className="hint">{m.settings_email_hint()}</p>
          </div>
        </li>
        {linked.map((name) => (
          <Provider key={name} name={name} busy={busy === name} onRemove={() => remove(name)} />
        ))}
      </ul>
      <ErrorLine text={error} />
    </SettingsSection>
  );
}
