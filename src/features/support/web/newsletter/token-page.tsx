import type { ReactNode } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import { tokenMeta } from '#shared/token-meta.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { NewsletterPage, ToTheBlog } from './newsletter-page.tsx';

export type TokenView =
  | { state: 'open'; token: string; maskedEmail: string }
  | { state: 'done' }
  | { state: 'closed'; mailbox?: string | null };

export interface TokenPageWords {
  titles: Record<TokenView['state'], () => string>;
  open: (values: { email: string }) => string;
  button: () => string;
  note?: () => string;
  done: () => string;
  closed: () => string;
}

/** A rejected form has no token in its address, so the loader returns `closed` too. */
export const tokenPageMeta = ({ titles }: TokenPageWords, view: TokenView | undefined) =>
  tokenMeta(titles[view?.state ?? 'open']());

interface TokenPageProps {
  /** Path of the page, to which its form is posted. */
  path: string;
  words: TokenPageWords;
  /** Help for a link that no longer works. */
  help: (mailbox: string | null) => ReactNode;
}

/** Nothing happens before the button is pressed, because mail scanners follow links. */
export function TokenPage({ path, words, help }: TokenPageProps) {
  const loaded = useLoaderData<TokenView>();
  const view = useActionData<TokenView>() ?? loaded;
  const title = words.titles[view.state]();
  if (view.state !== 'open')
    return (
      <NewsletterPage title={title}>
        <Notice kind={view.state === 'done' ? 'success' : 'danger'} live>
          {words[view.state]()}
        </Notice>
        {view.state === 'done' ? <ToTheBlog /> : help(view.mailbox ?? null)}
      </NewsletterPage>
    );
  return (
    <NewsletterPage title={title}>
      <p>{words.open({ email: view.maskedEmail })}</p>
      <form method="post" action={path}>
        <input type="hidden" name="token" value={view.token} />
        <Button look="primary" size="lg" type="submit">
          {words.button()}
        </Button>
      </form>
      {words.note ? <p className="fine">{words.note()}</p> : null}
    </NewsletterPage>
  );
}
