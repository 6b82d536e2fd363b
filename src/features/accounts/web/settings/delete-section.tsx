import { X } from 'lucide-react';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { confirms, deletionTexts, restoreDays } from '../../deletion/contract.ts';
import { askToSignIn, deleteAccount, Refusal, textOf } from './api.ts';
import { ErrorLine, Offer, Section } from './section.tsx';

interface DeleteProps {
  email: string;
  /** True while a deletion waits for a new sign-in: the page is not to be read anew beneath it. */
  waiting: RefObject<boolean>;
  onDeleted: () => void;
}

/** Opens it on its field: a dialog by itself begins at the button that closes it. */
function show(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
  dialog?.querySelector('input')?.focus();
}

/** The dialog's state. A deletion that needs a new sign-in goes on by itself after it. */
function useDeletion(
  box: RefObject<HTMLDialogElement | null>,
  { waiting, onDeleted }: Omit<DeleteProps, 'email'>,
) {
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
      if (failure instanceof Refusal && failure.code === 'sign_in_again') {
        waiting.current = true;
        setError(deletionTexts.again);
        // Two modals at once would hide the toasts of the sign-in.
        box.current?.close();
        askToSignIn(deletionTexts.again);
      } else {
        if (waiting.current) void revalidate();
        waiting.current = false;
        setError(textOf(failure));
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
      show(box.current);
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
      show(box.current);
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
      <li>You are signed out on every device, and replies that run are stopped.</li>
      <li>{`For ${restoreDays} days you can sign in again and restore everything.`}</li>
      <li>Then chats, files, name and address are erased for good.</li>
      <li>
        A plan that is running is cancelled: nothing more is charged, and it ends with the period that is
        paid.
      </li>
      <li>Welcome credits are given once per person: a new account begins without them.</li>
    </ul>
  );
}

function DialogHead() {
  return (
    <div className="dialog-head">
      <h2 className="h3" id="delete-title">
        Delete your account?
      </h2>
      <form method="dialog">
        <button type="submit" className="btn btn-ghost btn-icon" aria-label="Close">
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </form>
    </div>
  );
}

function Confirmation({
  email,
  value,
  onType,
}: {
  email: string;
  value: string;
  onType: (text: string) => void;
}) {
  return (
    <div className="field">
      <label className="label wrap-anywhere" htmlFor="delete-confirm">
        {`Type ${email} to confirm`}
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

/** Deleting the account, behind a dialog that says what it does. */
export function DeleteSection({ email, ...rest }: DeleteProps) {
  const box = useRef<HTMLDialogElement>(null);
  const { typed, setTyped, busy, error, open, submit } = useDeletion(box, rest);
  return (
    <Section id="settings-delete" title="Delete account" danger>
      <Offer
        text={`Nobody gets in any more, at once. For ${restoreDays} days you can restore everything; then it is erased.`}
      >
        <button type="button" className="btn btn-danger" onClick={open}>
          Delete account…
        </button>
      </Offer>
      <dialog ref={box} className="dialog" aria-labelledby="delete-title" closedby="any">
        <DialogHead />
        <form onSubmit={submit} noValidate>
          <div className="dialog-body grid gap-4">
            <Consequences />
            <Confirmation email={email} value={typed} onType={setTyped} />
            <ErrorLine text={error} />
          </div>
          <div className="dialog-foot">
            <button type="button" className="btn btn-secondary" onClick={() => box.current?.close()}>
              Cancel
            </button>
            <button
              type="submit"
              className="btn btn-danger"
              disabled={!confirms(typed, email)}
              aria-busy={busy}
            >
              Delete account
            </button>
          </div>
        </form>
      </dialog>
    </Section>
  );
}
