import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';

export interface ContinueFormProps {
  path: string;
  signedIn: boolean;
  /** Of the copy: sent twice, one is made. */
  chatId: string;
  /** The visitor has just signed in for it. */
  asked: boolean;
  error: string | null;
}

export function ContinueForm({ path, signedIn, chatId, asked, error }: ContinueFormProps) {
  const next = `/sign-in?next=${encodeURIComponent(`${path}?continue`)}`;
  return (
    <div className="grid justify-items-start gap-3 print:hidden">
      {error === null ? null : <Notice kind="danger">{error}</Notice>}
      {signedIn && asked && error === null ? <Notice kind="info">{m.shared_continue_ready()}</Notice> : null}
      {signedIn ? (
        <form id="continue-form" method="post" action={path}>
          <input type="hidden" name="intent" value="continue" />
          <input type="hidden" name="chat" value={chatId} />
          <Button look="primary" type="submit" autoFocus={asked}>
            {m.shared_continue()}
          </Button>
        </form>
      ) : (
        <Button id="continue-sign-in" look="primary" href={next} rel="nofollow" data-sign-in="">
          {m.shared_continue()}
        </Button>
      )}
      <p className="fine">{m.shared_continue_hint()}</p>
    </div>
  );
}
