import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { openSignIn } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { errorText } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { DialogBox } from '#ui/dialog.tsx';
import { isConfirmed, restoreDays } from '../../deletion/deletion-contract.ts';
import { deleteAccount } from './settings-api.ts';
import { ActionRow, ErrorLine, SettingsSection } from './settings-section.tsx';

interface DeleteProps {
  email: string;
  /** True while a deletion waits for a new sign-in: the page must not revalidate meanwhile. */
  waiting: RefObject<boolean>;
  onDeleted: () => void;
}

/** By default, a dialog focuses the button that closes it. */
function openDialog(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
  dialog?.querySelector('input')?.focus();
}

/** A deletion that needs a new sign-in continues automatically after it. */
function useDeletion(box: RefObject<HTMLDialogElement | null>, { email, waiting, onDeleted }: DeleteProps) {
  const { revalidate } = useRevalidator();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function run() {
    setBusy(true);
    setError(null);
    try {
      await deleteAccount(typed);
      box.current?.close();
      onDeleted();
    } catch (failure) {
      if (failure instanceof ProblemError && failure.body.code === 'sign_in_again') {
        waiting.current = true;
        setError(m.delete_sign_in_again());
        // Two open modals would hide the toasts of the sign-in.
        box.current?.close();
        openSignIn({ reason: m.delete_sign_in_again(), email });
      } else {
        if (waiting.current) void revalidate();
        waiting.current = false;
        setError(errorText(failure, m.common_connection_lost()));
      }
    }
    setBusy(false);
  }

  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onChange = (event: Event) => {
      if (!waiting.current || (event as CustomEvent<{ signedIn?: boolean }>).detail?.signedIn !== true)
        return;
      openDialog(box.current);
      void latest.current();
    };
    document.addEventListener('auth:changed', onChange);
    return () => document.removeEventListener('auth:changed', onChange);
  }, [box, waiting]);

  return {
    typed,
    setTyped,
    busy,
    error,
    open() {
      waiting.current = false;
      setTyped('');
      setError(null);
      openDialog(box.current);
    },
    submit(event: FormEvent) {
      event.preventDefault();
      if (!busy) void run();
    },
  };
}

function Consequences() {
  return (
    <ul className="grid list-disc gap-2 ps-5 text-sm">
      <li>{m.delete_effect_sign_out()}</li>
      <li>{m.delete_effect_restore({ days: restoreDays })}</li>
      <li>{m.delete_effect_erase()}</li>
      <li>{m.delete_effect_plan()}</li>
      <li>{m.delete_effect_credits()}</li>
    </ul>
  );
}

interface ConfirmationProps {
  email: string;
  value: string;
  onType: (text: string) => void;
}

function Confirmation({ email, value, onType }: ConfirmationProps) {
  return (
    <div className="field">
      <label className="label wrap-anywhere" htmlFor="delete-confirm">
        {m.delete_type_email({ email })}
      </label>
      <input
        className="input"
        id="delete-confirm"
        type="email"
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  );
}

export function DeleteSection(props: DeleteProps) {
  const { email } = props;
  const box = useRef<HTMLDialogElement>(null);
  const { typed, setTyped, busy, error, open, submit } = useDeletion(box, props);
  return (
    <SettingsSection id="settings-delete" title={m.delete_account()} danger>
      <ActionRow text={m.delete_summary({ days: restoreDays })}>
        <Button variant="danger" onClick={open}>
          {m.delete_account_open()}
        </Button>
      </ActionRow>
      <DialogBox ref={box} id="delete" title={m.delete_question()}>
        <form onSubmit={submit} noValidate>
          <div className="dialog-body grid gap-4">
            <Consequences />
            <Confirmation email={email} value={typed} onType={setTyped} />
            <ErrorLine text={error} />
          </div>
          <div className="dialog-foot">
            <Button onClick={() => box.current?.close()}>{m.common_cancel()}</Button>
            <Button type="submit" variant="danger" disabled={!isConfirmed(typed, email)} aria-busy={busy}>
              {m.delete_account()}
            </Button>
          </div>
        </form>
      </DialogBox>
    </SettingsSection>
  );
}
