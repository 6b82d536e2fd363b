import { newsletterPaths } from '../contract.ts';
import { ToTheBlog } from './newsletter-page.tsx';

interface AskedOnwardProps {
  /** Address of the mailbox of the stand-ins; null where real mail is sent. */
  mailbox: string | null;
  /** Leads to the blog too, where it is not the blog that one stands on. */
  blog: boolean;
}

/** What to do where the mail with the link does not come. */
export function AskedOnward({ mailbox, blog }: AskedOnwardProps) {
  return (
    <>
      <p className="muted">
        Nothing came? Look where your mail program puts advertising, then ask once more.
      </p>
      <div className="row">
        {mailbox ? (
          <a className="btn btn-primary btn-lg" href={mailbox} target="_blank" rel="noreferrer">
            Open the local mailbox
          </a>
        ) : null}
        <a className="btn btn-secondary btn-lg" href={newsletterPaths.box}>
          Ask once more
        </a>
        {blog ? <ToTheBlog /> : null}
      </div>
    </>
  );
}
