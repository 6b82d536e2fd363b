import { consentVersion, consentWordings, newsletterPaths, trapField } from '../contract.ts';
import { AskedOnward } from './asked-onward.tsx';

interface NewsletterFormProps {
  /** Path of the page that it stands on. */
  source: string;
  /** Address of the mailbox of the stand-ins; null where real mail is sent. */
  mailbox: string | null;
  /** Tells the fields of two forms on a page apart. */
  id?: string;
  email?: string;
  /** What was wrong with the address, shown below it. */
  error?: string;
}

/**
 * Asks for the newsletter: one field. A form that needs no script; with one, its answer comes in its place
 * (`data-inline` of the shell), and a style sheet shows the ways on below it.
 */
export function NewsletterForm({ source, mailbox, id = 'newsletter', email, error }: NewsletterFormProps) {
  const [field, hint, wrong] = [`${id}-email`, `${id}-hint`, `${id}-error`];
  return (
    <div className="newsletter">
      <form
        className="newsletter-form"
        method="post"
        action={newsletterPaths.box}
        data-inline={newsletterPaths.api}
      >
        <input type="hidden" name="source" value={source} />
        <div className="visually-hidden" aria-hidden="true">
          <label htmlFor={`${id}-${trapField}`}>Leave this empty</label>
          <input id={`${id}-${trapField}`} type="text" name={trapField} tabIndex={-1} autoComplete="off" />
        </div>
        <div className="field">
          <label className="label" htmlFor={field}>
            Email
          </label>
          <input
            className="input"
            id={field}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            spellCheck={false}
            maxLength={254}
            required
            defaultValue={email}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${wrong} ${hint}` : hint}
          />
        </div>
        <button type="submit" className="btn btn-primary btn-lg">
          Subscribe
        </button>
        {error ? (
          <p id={wrong} className="notice notice-danger" role="alert">
            {error}
          </p>
        ) : null}
        <p id={hint} className="fine">
          {`${consentWordings[consentVersion]} More in the `}
          <a className="link" href="/privacy">
            Privacy Policy
          </a>
          .
        </p>
      </form>
      <p className="newsletter-answer" role="status" tabIndex={-1} />
      <div className="newsletter-onward">
        <AskedOnward mailbox={mailbox} blog={source !== '/blog'} />
      </div>
    </div>
  );
}
