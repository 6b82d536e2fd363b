import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { newsletterPaths } from '../../newsletter/newsletter-contract.ts';
import { ToTheBlog } from './newsletter-page.tsx';

interface ConfirmationMailHelpProps {
  /** The stand-ins' mailbox; null where real mail is sent. */
  mailbox: string | null;
  blog: boolean;
}

export function ConfirmationMailHelp({ mailbox, blog }: ConfirmationMailHelpProps) {
  return (
    <>
      <p className="muted">{m.newsletter_nothing_came()}</p>
      <div className="row">
        {mailbox ? (
          <Button look="primary" size="lg" href={mailbox} target="_blank" rel="noreferrer">
            {m.local_mailbox()}
          </Button>
        ) : null}
        <Button size="lg" href={newsletterPaths.box}>
          {m.newsletter_ask_again()}
        </Button>
        {blog ? <ToTheBlog /> : null}
      </div>
    </>
  );
}
