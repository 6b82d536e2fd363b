import { useState } from 'react';
import { useLoadedState } from '#client/use-loaded-state.ts';
import { useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { ApiAddress, ApiKey, CreateKey } from '../../api-keys/api-keys-contract.ts';
import { ApiExample } from './api-example.tsx';
import { ApiKeyForm } from './api-key-form.tsx';
import { ApiKeyRow } from './api-key-row.tsx';
import { ApiKeySecret } from './api-key-secret.tsx';
import { createApiKey } from './settings-api.ts';
import { ErrorLine, SettingsSection } from './settings-section.tsx';

const HEADING = 'settings-api-keys';

/** Loaded separately from the page, because few people open it. */
export default function ApiKeysSection({ first, api }: { first: ApiKey[]; api: ApiAddress }) {
  const [keys, setKeys] = useLoadedState(first);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, error, change } = useMutation(HEADING);
  const create = (newKey: CreateKey) =>
    change({
      key: 'new',
      work: () => createApiKey(newKey),
      apply(created) {
        setKeys((now) => [created.key, ...now]);
        setSecret(created.secret);
        setAdding(false);
      },
    });
  const startAdding = () => {
    setSecret(null);
    setAdding(true);
  };
  return (
    <SettingsSection id={HEADING} title={m.api_key_title()} about={m.api_key_about()}>
      {keys.length === 0 ? <p className="muted text-sm">{m.api_key_none()}</p> : null}
      {secret ? <ApiKeySecret key={secret} secret={secret} /> : null}
      <ul>
        {keys.map((key) => (
          <ApiKeyRow
            key={key.id}
            apiKey={key}
            busy={busy}
            change={change}
            onChanged={(changed) =>
              setKeys((now) => now.flatMap((each) => (each.id === key.id ? (changed ?? []) : each)))
            }
          />
        ))}
      </ul>
      <ErrorLine text={error} />
      {adding ? (
        <ApiKeyForm
          busy={busy === 'new'}
          action={m.api_key_make()}
          onSave={create}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <Button className="justify-self-start" onClick={startAdding}>
          {m.api_key_add()}
        </Button>
      )}
      <ApiExample api={api} />
    </SettingsSection>
  );
}
