import type { ReactNode } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';

interface NewsletterPageProps {
  title: string;
  /** Next to the main content; below it on a phone. */
  aside?: ReactNode;
  children: ReactNode;
}

export function NewsletterPage({ title, aside, children }: NewsletterPageProps) {
  return (
    <main
      id="main"
      className="wrap grid content-start gap-x-20 gap-y-16 pt-10 md:pt-16 lg:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]"
      data-no-return=""
    >
      <div className="[&>p]:max-w-136 grid content-start justify-items-start gap-5">
        <p className="eyebrow -mb-3 max-w-136">{m.newsletter_title()}</p>
        <h1 className="h1">{title}</h1>
        {children}
      </div>
      {aside}
    </main>
  );
}

export function BlogLink() {
  return (
    <Button size="lg" href="/blog">
      {m.newsletter_blog()}
    </Button>
  );
}
