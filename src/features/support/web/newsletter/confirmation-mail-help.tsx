import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { newsletterPaths } from '../../newsletter/newsletter-contract.ts';
import { ToTheBlog } from './newsletter-page.tsx';

interface ConfirmationMailHelpProps {
  /** Address of the mailbox of the stand-ins; null where real mail is sent. */
  mailbox: string | null;
  /** Leads to the blog too, where it is not the blog that one stands on. */
  blog: boolean;
}

/** What to do where the mail with the link does not come. */
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
