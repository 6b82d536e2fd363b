import { m } from '#messages';
import { NewsletterForm } from './newsletter-form.tsx';

interface NewsletterBoxProps {
  /** Path of the page with the form. */
  source: string;
  /** The stand-ins' mailbox; null where real mail is sent. */
  mailbox: string | null;
}

export function NewsletterBox({ source, mailbox }: NewsletterBoxProps) {
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
