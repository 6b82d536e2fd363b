import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { ShareKind } from '../contract.ts';

export interface ContinueFormProps {
  path: string;
  /** Without images, which are downloaded. */
  kind: Exclude<ShareKind, 'images'>;
  signedIn: boolean;
  /** Id of the copy, so that sending the form twice creates one copy. */
  copyId: string;
  /** The visitor has just signed in to make the copy. */
  afterSignIn: boolean;
  error: string | null;
}

const chat = { name: m.shared_continue, hint: m.shared_continue_hint, ready: m.shared_continue_ready };
const words = {
  chat,
  reply: chat,
  text: { name: m.shared_copy, hint: m.shared_copy_text, ready: m.shared_copy_ready },
  script: { name: m.shared_copy, hint: m.shared_copy_script, ready: m.shared_copy_ready },
};

export function ContinueForm({ path, kind, signedIn, copyId, afterSignIn, error }: ContinueFormProps) {
  const { name, hint, ready } = words[kind];
  const next = `/sign-in?next=${encodeURIComponent(`${path}?continue`)}`;
  return (
    <div className="grid justify-items-start gap-3 print:hidden">
      {error === null ? null : <Notice kind="danger">{error}</Notice>}
      {signedIn && afterSignIn && error === null ? <Notice kind="info">{ready()}</Notice> : null}
      {signedIn ? (
        <form id="continue-form" method="post" action={path}>
          <input type="hidden" name="intent" value="continue" />
          <input type="hidden" name="copy" value={copyId} />
          <Button variant="primary" type="submit" autoFocus={afterSignIn}>
            {name()}
          </Button>
        </form>
      ) : (
        <Button id="continue-sign-in" variant="primary" href={next} rel="nofollow" data-sign-in="">
          {name()}
        </Button>
      )}
      <p className="fine">{hint()}</p>
    </div>
  );
}
