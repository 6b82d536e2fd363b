import { site } from '../../../../../content/site.ts';
import { contactPath } from '../contract.ts';
import './contact.css';

/** Says that a message is stored, under which reference, and what happens next. */
export function ReceivedPage({ reference }: { reference: string }) {
  return (
    <main id="main" className="wrap contact contact-received">
      <div className="grid content-start gap-5">
        {/* biome-ignore lint/a11y/noAutofocus: the page was loaded by the button, and what came of it is read first */}
        <h1 className="h1" tabIndex={-1} autoFocus>
          Message <span className="mark">received</span>
        </h1>
        <p className="lead">Thank you. It is stored, and on its way to a person who reads it.</p>
        <dl className="contact-reference">
          <dt className="eyebrow">Your reference</dt>
          <dd>{reference}</dd>
        </dl>
        <div className="row">
          <a className="btn btn-primary btn-lg" href="/">
            Go to the home page
          </a>
          <a className="btn btn-secondary btn-lg" href={contactPath}>
            Write another message
          </a>
        </div>
      </div>
      <section aria-labelledby="next-title">
        <h2 className="h3" id="next-title">
          What happens next
        </h2>
        <ol className="contact-next">
          <li>
            A receipt with this reference goes to the address that you gave. It may land in the spam folder.
          </li>
          <li>The answer comes by mail, to the same address.</li>
          <li>To add something, answer the receipt. There is no need to write it all again.</li>
        </ol>
        <p className="muted text-sm">
          No receipt? Then the address may have a slip in it. Send the message again, or write to{' '}
          <a className="link" href={`mailto:${site.supportEmail}?subject=${reference}`}>
            {site.supportEmail}
          </a>{' '}
          and name the reference.
        </p>
      </section>
    </main>
  );
}
