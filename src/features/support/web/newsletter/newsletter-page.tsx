import type { ReactNode } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';

export function NewsletterPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main
      id="main"
      className="wrap [&>p]:max-w-136 grid content-start justify-items-start gap-5 pt-10 md:pt-16"
      data-no-return=""
    >
      <p className="eyebrow -mb-3 max-w-136">{m.newsletter_title()}</p>
      <h1 className="h1">{title}</h1>
      {children}
    </main>
  );
}

export function ToTheBlog() {
  return (
    <Button size="lg" href="/blog">
      {m.newsletter_blog()}
    </Button>
  );
}
