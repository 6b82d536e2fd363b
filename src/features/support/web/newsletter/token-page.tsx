import type { ReactNode } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import { tokenMeta } from '#shared/token-meta.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { BlogLink, NewsletterPage } from './newsletter-page.tsx';

export type TokenView =
  | { state: 'open'; token: string; maskedEmail: string }
  | { state: 'done' }
  | { state: 'closed'; mailbox?: string | null };

export interface TokenPageTexts {
  titles: Record<TokenView['state'], () => string>;
  open: (values: { email: string }) => string;
  button: () => string;
  note?: () => string;
  done: () => string;
  closed: () => string;
}

/** A rejected form has no token in its address, so the loader returns `closed` too. */
export const tokenPageMeta = ({ titles }: TokenPageTexts, view: TokenView | undefined) =>
  tokenMeta(titles[view?.state ?? 'open']());

interface TokenPageProps {
  /** Path of the page, to which its form is posted. */
  path: string;
  texts: TokenPageTexts;
  /** Help for a link that no longer works. */
  help: (mailbox: string | null) => ReactNode;
}

/** Nothing happens before the button is pressed, because mail scanners follow links. */
export function TokenPage({ path, texts, help }: TokenPageProps) {
  const loaded = useLoaderData<TokenView>();
  const view = useActionData<TokenView>() ?? loaded;
  const title = texts.titles[view.state]();
  if (view.state !== 'open')
    return (
      <NewsletterPage title={title}>
        <Notice kind={view.state === 'done' ? 'success' : 'danger'} live>
          {texts[view.state]()}
        </Notice>
        {view.state === 'done' ? <BlogLink /> : help(view.mailbox ?? null)}
      </NewsletterPage>
    );
  return (
    <NewsletterPage title={title}>
      <p>{texts.open({ email: view.maskedEmail })}</p>
      <form method="post" action={path}>
        <input type="hidden" name="token" value={view.token} />
        <Button variant="primary" size="lg" type="submit">
          {texts.button()}
        </Button>
      </form>
      {texts.note ? <p className="fine">{texts.note()}</p> : null}
    </NewsletterPage>
  );
}
