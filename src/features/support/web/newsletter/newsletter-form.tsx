import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { Button } from '#ui/button.tsx';
import { EmailField } from '#ui/email-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { newsletterHoneypotField, newsletterPaths } from '../../newsletter/newsletter-contract.ts';
import { BlogLink } from './newsletter-page.tsx';

interface NewsletterFormProps {
  source: string;
  /** URL of the stand-ins' mailbox; null if real mail is sent. */
  mailbox: string | null;
  /** Distinguishes the fields of two forms on one page. */
  id?: string;
  email?: string;
  error?: string;
}

/**
 * Works without a script; with one, the response replaces the form (`data-inline` of the shell), and CSS shows the
 * element that follows.
 */
export function NewsletterForm({ source, mailbox, id = 'newsletter', email, error }: NewsletterFormProps) {
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  return (
    <div className="grid w-full max-w-136 gap-3">
      <form
        className="peer grid grid-cols-[minmax(0,1fr)_auto] gap-3 items-end max-xs:grid-cols-1"
        method="post"
        action={newsletterPaths.box}
        data-inline={newsletterPaths.api}
      >
        <input type="hidden" name="source" value={source} />
        <div className="visually-hidden" aria-hidden="true">
          <label htmlFor={`${id}-${newsletterHoneypotField}`}>{m.form_trap()}</label>
          <input
            id={`${id}-${newsletterHoneypotField}`}
            type="text"
            name={newsletterHoneypotField}
            tabIndex={-1}
            autoComplete="off"
          />
        </div>
        <EmailField
          id={`${id}-email`}
          defaultValue={email}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${errorId} ${hintId}` : hintId}
        />
        <Button type="submit" variant="primary" size="lg">
          {m.newsletter_subscribe()}
        </Button>
        {error ? (
          <Notice className="col-span-full" id={errorId} kind="danger">
            {error}
          </Notice>
        ) : null}
        <p id={hintId} className="fine col-span-full">
          {m.newsletter_consent()}
          {sentenceSeparator()}
          <a className="link" href="/privacy">
            {m.page_privacy()}
          </a>
        </p>
      </form>
      <p className="empty:hidden" role="status" tabIndex={-1} />
      <div className="hidden gap-3 peer-[[hidden]]:grid">
        <ConfirmationMailHelp mailbox={mailbox} blog={source !== '/blog'} />
      </div>
    </div>
  );
}

interface ConfirmationMailHelpProps {
  /** URL of the stand-ins' mailbox; null if real mail is sent. */
  mailbox: string | null;
  blog: boolean;
}

export function ConfirmationMailHelp({ mailbox, blog }: ConfirmationMailHelpProps) {
  return (
    <>
      <p className="muted">{m.newsletter_nothing_came()}</p>
      <div className="row">
        {mailbox ? (
          <Button variant="primary" size="lg" href={mailbox} target="_blank" rel="noreferrer">
            {m.local_mailbox()}
          </Button>
        ) : null}
        <Button size="lg" href={newsletterPaths.box}>
          {m.newsletter_ask_again()}
        </Button>
        {blog ? <BlogLink /> : null}
      </div>
    </>
  );
}

export function NewsletterBox({ source, mailbox }: Pick<NewsletterFormProps, 'source' | 'mailbox'>) {
  return (
    <section
      className="grid gap-4 content-start justify-items-start max-w-136"
      aria-labelledby="newsletter-title"
    >
      <h2 className="h3" id="newsletter-title">
        {m.newsletter_heading()}
      </h2>
      <NewsletterForm source={source} mailbox={mailbox} />
    </section>
  );
}
