import type { ProviderName } from '../../contract.ts';
import { providerLabels } from '../../identities/contract.ts';
import { removeProvider } from './api.ts';
import { ErrorLine, Section } from './section.tsx';
import { useChange, useList } from './use-change.ts';

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
          You can still sign in by mail.
        </p>
      </div>
      <button
        type="button"
        className="btn btn-secondary"
        aria-describedby={hint}
        aria-busy={busy}
        onClick={onRemove}
      >
        Remove<span className="visually-hidden">{` ${providerLabels[name]}`}</span>
      </button>
    </li>
  );
}

/** The ways in: the mail, which stays, and the accounts at providers that were used. */
export function SignInSection({ email, providers }: { email: string; providers: ProviderName[] }) {
  const { rows, without } = useList(providers);
  const { busy, error, change } = useChange(HEADING);
  const remove = (name: ProviderName) =>
    change({
      which: name,
      work: () => removeProvider(name),
      apply: () => without((one) => one === name),
      done: `${providerLabels[name]} removed.`,
    });
  return (
    <Section id={HEADING} title="Sign-in" about="There is no password to lose.">
      <ul>
        <li className={row}>
          <div className="min-w-0">
            <p className="text-sm font-semibold wrap-anywhere">{email}</p>
            <p className="hint">By a link or code that we mail you.</p>
          </div>
        </li>
        {rows.map((name) => (
          <Provider key={name} name={name} busy={busy === name} onRemove={() => remove(name)} />
        ))}
      </ul>
      <ErrorLine text={error} />
    </Section>
  );
}
