import { config } from '#platform/config/config.server.ts';
import { hasOperatorEmail } from '#shared/operator-addresses.ts';
import { setting } from '#shared/settings.ts';
import type { TokenView } from '../web/newsletter/token-page.tsx';
import { newsletterPaths } from './newsletter-contract.ts';

export const confirmLink = (token: string): string =>
  `${config().publicUrl}${newsletterPaths.confirm}?token=${token}`;

/** Never expires, because mails are kept. */
export const unsubscribeLink = (leaveToken: string): string =>
  `${config().publicUrl}${newsletterPaths.leave}?token=${leaveToken}`;

/** RFC 2369 and, for one click, RFC 8058; filters use List-Id (RFC 2919). */
export function listHeaders(leaveToken: string): Record<string, string> {
  const oneClick = `<${config().publicUrl}${newsletterPaths.oneClick}?token=${leaveToken}>`;
  const byMail = `<mailto:${setting('contact.email')}?subject=unsubscribe>`;
  return {
    'List-Id': `<newsletter.${new URL(config().publicUrl).hostname}>`,
    'List-Unsubscribe': hasOperatorEmail() ? `${oneClick}, ${byMail}` : oneClick,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Returns what the page of a link shows. Only reads, because mail scanners follow links. */
export async function viewLink<Closed>(
  { url }: Request,
  preview: (token: string) => Promise<TokenView | null>,
  closed: () => Closed,
): Promise<TokenView | Closed> {
  const query = new URL(url).searchParams;
  if (query.has('done')) return { state: 'done' };
  return (await preview(query.get('token') ?? '')) ?? closed();
}
