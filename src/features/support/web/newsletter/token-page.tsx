import type { ReactNode } from 'react';
import type { MetaDescriptor } from 'react-router';
import { pageTitle } from '#shared/page-title.ts';
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

/**
 * As on the page of a sign-in link: no request of the page tells the token, and its form still sends its origin. A form
 * that is refused has no token in its address, for which the loader answers `closed` too.
 */
export const tokenMeta = (
  { titles }: TokenPageWords,
  state: TokenView['state'] = 'open',
): MetaDescriptor[] => [
  { title: pageTitle(titles[state]()) },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'strict-origin' },
];

export const tokenHeaders = () => ({
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
});

interface TokenPageProps {
  view: TokenView;
  action: string;
  words: TokenPageWords;
  children: ReactNode;
}

/** Nothing happens before the button is pressed: mail scanners follow links. */
export function TokenPage({ view, action, words, children }: TokenPageProps) {
  const title = words.titles[view.state]();
  if (view.state !== 'open')
    return (
      <NewsletterPage title={title}>
        <Notice kind={view.state === 'done' ? 'success' : 'danger'} live>
          {words[view.state]()}
        </Notice>
        {view.state === 'done' ? <ToTheBlog /> : children}
      </NewsletterPage>
    );
  return (
    <NewsletterPage title={title}>
      <p>{words.open({ email: view.maskedEmail })}</p>
      <form method="post" action={action}>
        <input type="hidden" name="token" value={view.token} />
        <Button look="primary" size="lg" type="submit">
          {words.button()}
        </Button>
      </form>
      {words.note ? <p className="fine">{words.note()}</p> : null}
    </NewsletterPage>
  );
}
