import type { ReactNode } from 'react';

/** A narrow page of the newsletter: one thing to read or press. */
export function NewsletterPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" className="wrap newsletter-page" data-no-return="">
      <p className="eyebrow">Newsletter</p>
      <h1 className="h1">{title}</h1>
      {children}
    </main>
  );
}

/** The way on from a page that is done. */
export function ToTheBlog() {
  return (
    <a className="btn btn-secondary btn-lg" href="/blog">
      Go to the blog
    </a>
  );
}
