import { useState } from 'react';
import type { Mutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { type ApiKey, type CreateKey, keyPrefix } from '../../api-keys/api-keys-contract.ts';
import { ApiKeyFacts } from './api-key-facts.tsx';
import { ApiKeyForm } from './api-key-form.tsx';
import { changeApiKey, revokeApiKey } from './settings-api.ts';

interface ApiKeyRowProps extends Pick<Mutation, 'busy' | 'change'> {
  apiKey: ApiKey;
  onChanged: (key: ApiKey | null) => void;
}

type Mode = 'shown' | 'edited' | 'revoked';

export function ApiKeyRow({ apiKey, busy, change, onChanged }: ApiKeyRowProps) {
  const [mode, setMode] = useState<Mode>('shown');
  const [name, edit, revoke] = ['name', 'edit', 'revoke'].map((part) => `api-key-${part}-${apiKey.id}`);
  const isBusy = busy === apiKey.id;
  const save = (changed: CreateKey) =>
    change({
      key: apiKey.id,
      work: () => changeApiKey(apiKey.id, changed),
      apply(saved) {
        setMode('shown');
        onChanged(saved);
      },
      done: m.api_key_changed(),
    });
  const end = () =>
    change({
      key: apiKey.id,
      work: () => revokeApiKey(apiKey.id),
      apply: () => onChanged(null),
      done: m.api_key_revoked(),
    });
  return (
    <li className="grid gap-3 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0">
      <div className="grid gap-1">
        <p className="text-sm font-semibold wrap-anywhere" id={name} dir="auto">
          {apiKey.name}
        </p>
        <p className="hint">
          <code dir="ltr">
            {keyPrefix}…{apiKey.lastFour}
          </code>
        </p>
      </div>
      {mode === 'edited' ? (
        <ApiKeyForm
          first={apiKey}
          busy={isBusy}
          action={m.api_key_save()}
          onSave={save}
          onCancel={() => setMode('shown')}
        />
      ) : (
        <ApiKeyFacts apiKey={apiKey} />
      )}
      {mode === 'revoked' ? (
        <div className="grid gap-3" role="alert">
          <p className="text-sm">{m.api_key_revoke_sure()}</p>
          <div className="flex flex-wrap gap-3">
            <Button variant="ghost" autoFocus onClick={() => setMode('shown')}>
              {m.common_cancel()}
            </Button>
            <Button
              id={revoke}
              variant="danger"
              aria-labelledby={`${revoke} ${name}`}
              aria-busy={isBusy}
              onClick={end}
            >
              {m.api_key_revoke()}
            </Button>
          </div>
        </div>
      ) : null}
      {mode === 'shown' ? (
        <div className="flex flex-wrap gap-3">
          <Button id={edit} aria-labelledby={`${edit} ${name}`} onClick={() => setMode('edited')}>
            {m.common_edit()}
          </Button>
          <Button id={revoke} aria-labelledby={`${revoke} ${name}`} onClick={() => setMode('revoked')}>
            {m.api_key_revoke()}
          </Button>
        </div>
      ) : null}
    </li>
  );
}
