import { NewsletterForm } from './newsletter-form.tsx';

/** The newsletter beside other parts of a page, whose path is `source`. */
export function NewsletterBox({ source }: { source: string }) {
  return (
    <section aria-labelledby="newsletter-title">
      <h2 className="h3" id="newsletter-title">
        The next one, by mail
      </h2>
      <NewsletterForm source={source} />
    </section>
  );
}
