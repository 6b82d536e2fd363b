import type { ReactNode } from 'react';
import type { MetaDescriptor } from 'react-router';
import { pageTitle } from '#shared/page-title.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { NewsletterPage, ToTheBlog } from './newsletter-page.tsx';

/** What became of the link of a mail: its button can be pressed, was pressed, or the link is none of ours any more. */
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
 * What a page with a token in its address says of itself, as that of a sign-in link does: no request of the page tells the
 * token, and its form still sends its origin. A form that is refused has no token in its address, for which the loader
 * answers `closed` too.
 */
export const tokenMeta = (
  { titles }: TokenPageWords,
  state: TokenView['state'] = 'open',
): MetaDescriptor[] => [
  { title: pageTitle(titles[state]()) },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'strict-origin' },
];

/** Headers of such a page: nobody keeps it. */
export const tokenHeaders = () => ({
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
});

interface TokenPageProps {
  view: TokenView;
  /** Where the form is sent. */
  action: string;
  words: TokenPageWords;
  /** The way on from a link that is none. */
  children: ReactNode;
}

/** The page that a mail of the newsletter links to: nothing happens before its button is pressed. */
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
