import { type FormEvent, useId, useState } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Field } from '#ui/field.tsx';
import {
  type ApiKey,
  type CreateKey,
  type KeyScope,
  keyLimits,
  keyScopes,
} from '../../api-keys/api-keys-contract.ts';
import { scopeNames } from './api-key-facts.tsx';

interface ApiKeyFormProps {
  first?: ApiKey;
  busy: boolean;
  action: string;
  onSave: (key: CreateKey) => Promise<boolean>;
  onCancel: () => void;
}

/** Null for an empty field, undefined for an invalid ceiling. */
function parseCeiling(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const count = Number(text);
  return Number.isInteger(count) && count >= 1 && count <= keyLimits.ceiling ? count : undefined;
}

export function ApiKeyForm({ first, busy, action, onSave, onCancel }: ApiKeyFormProps) {
  const [name, setName] = useState(first?.name ?? '');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(first?.scopes ?? keyScopes);
  const [limit, setLimit] = useState(first?.ceiling ? String(first.ceiling) : '');
  const [endsOn, setEndsOn] = useState(first?.endsOn ?? '');
  const [checked, setChecked] = useState(false);
  const errorId = useId();
  const ceiling = parseCeiling(limit);
  const noScope = checked && scopes.length === 0;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (name.trim() === '' || scopes.length === 0 || ceiling === undefined) return;
    await onSave({ name, scopes: [...scopes], ceiling, endsOn: endsOn || null });
  };
  return (
    <form className="grid gap-4" onSubmit={save} noValidate>
      <Field label={m.api_key_name()} error={checked && name.trim() === '' ? m.api_key_name_missing() : null}>
        {(control) => (
          <input
            {...control}
            className="input"
            dir="auto"
            autoComplete="off"
            maxLength={keyLimits.name}
            // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
            autoFocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <fieldset className="grid gap-1" aria-describedby={noScope ? errorId : undefined}>
        <legend className="label">{m.api_key_scopes()}</legend>
        {keyScopes.map((scope) => (
          <Checkbox
            key={scope}
            checked={scopes.includes(scope)}
            onChange={(on) =>
              setScopes((now) => keyScopes.filter((each) => (each === scope ? on : now.includes(each))))
            }
          >
            {scopeNames[scope]()}
          </Checkbox>
        ))}
        {noScope ? (
          <p className="field-error" id={errorId} role="alert">
            {m.api_key_scope_missing()}
          </p>
        ) : null}
      </fieldset>
      <Field
        label={m.api_key_ceiling()}
        optional
        hint={m.api_key_ceiling_hint()}
        error={checked && ceiling === undefined ? m.api_key_ceiling_wrong({ most: keyLimits.ceiling }) : null}
      >
        {(control) => (
          <input
            {...control}
            className="input"
            inputMode="numeric"
            autoComplete="off"
            value={limit}
            onChange={(event) => setLimit(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={m.api_key_end()} optional hint={m.api_key_end_hint()}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="date"
            value={endsOn}
            onChange={(event) => setEndsOn(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" aria-busy={busy}>
          {action}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {m.common_cancel()}
        </Button>
      </div>
    </form>
  );
}
