import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { appPolicy } from '#platform/http/security-headers.server.ts';
import { stylesheet } from '#platform/http/static-files.server.ts';
import { brandColorsPath } from '../brand-files.server.ts';
import { themeScript } from '../shell/theme-script.ts';
import { doneMessage } from './actions.server.ts';
import type { AdminRequest } from './admin-request.server.ts';
import { sheetPath } from './admin-sheet.server.ts';
import { Frame } from './frame.tsx';
import { maxSessionMinutes } from './operator.server.ts';
import type { SectionPath } from './sections.ts';

interface PageContent {
  title: string;
  here: SectionPath | null;
  status?: number;
  children: ReactNode;
}

export async function adminPage(
  request: AdminRequest,
  { title, here, status = 200, children }: PageContent,
): Promise<Response> {
  const { c, operator } = request;
  const { pathname, search } = new URL(c.req.url);
  const { nonce } = c.var;
  const body = renderToStaticMarkup(
    <html lang="en" dir="ltr" data-page="public" data-frame="page" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, allowed by its nonce */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: themeScript }} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {[stylesheet(), sheetPath, brandColorsPath()]
          .flatMap((href) => href ?? [])
          .map((href) => (
            <link key={href} rel="stylesheet" href={href} />
          ))}
      </head>
      <body>
        <Frame
          title={title}
          here={here}
          email={operator.email}
          done={await doneMessage(request)}
          minutesToAct={Math.max(0, maxSessionMinutes.act - operator.minutes)}
          address={c.req.method === 'POST' ? '/admin/people' : pathname + search}
        >
          {children}
        </Frame>
      </body>
    </html>,
  );
  return c.html(`<!doctype html>${body}`, status as 200, {
    'content-security-policy': appPolicy(nonce),
    'x-robots-tag': 'noindex',
    'cache-control': 'private, no-store',
  });
}
