import { url as enhanceUrl } from 'virtual:enhance';
import uiFont from '@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-latin-wght-normal.woff2?url';
import { useContext, useEffect } from 'react';
import {
  isRouteErrorResponse,
  Links,
  type LinksFunction,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from 'react-router';
import { tellShown } from '../client/page-events.ts';
import { runningIds } from '../features/image/web/running/noted.ts';
import { notedAnalyses } from '../features/pdf/web/running/noted.ts';
import { config } from '../platform/config/config.server.ts';
import { pageContext } from '../platform/http/page-context.server.ts';
import type { PageHandle } from '../shared/page-handle.ts';
import { ErrorView } from './pages/error-view.tsx';
import { NotFoundView } from './pages/not-found-view.tsx';
import './shell/app.css';
import { PageScript } from './shell/page-script.tsx';
import { RequestFactsContext } from './shell/request-facts.ts';
import { sale } from './shell/sale.server.ts';
import { Slot } from './shell/slot.tsx';
import { Still } from './shell/still.tsx';
import { themeScript } from './shell/theme-script.ts';

/** Public pages are cached by path and by `signedIn`: nothing else of the visitor may be in here. */
export function loader({ context }: LoaderFunctionArgs) {
  const { publicUrl, sandbox } = config();
  return { signedIn: context.get(pageContext).actor.kind === 'user', publicUrl, sandbox, sale: sale() };
}

/** What it gives changes with a sign-in, which asks for it, and never with the address. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return currentUrl.href === nextUrl.href && defaultShouldRevalidate;
}

export const links: LinksFunction = () => [
  { rel: 'preload', href: uiFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
];

export function Layout({ children }: { children: React.ReactNode }) {
  const { nonce, shell } = useContext(RequestFactsContext);
  const signedIn = useRouteLoaderData<typeof loader>('root')?.signedIn ?? false;
  const handles = useMatches().map((match) => match.handle as PageHandle | undefined);
  const app = handles.some((handle) => handle?.page === 'app');
  const failed = Boolean(useRouteError());
  const footer = !app || failed || handles.some((handle) => handle?.footer);
  return (
    <html
      lang="en"
      data-page={app ? 'app' : 'public'}
      data-frame={footer ? 'page' : 'screen'}
      data-auth={signedIn ? 'in' : 'out'}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, allowed by hash or nonce */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: themeScript }} suppressHydrationWarning />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
        <script type="module" src={enhanceUrl} nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        <Still
          as="section"
          id="consent"
          className="consent"
          aria-label="Cookie consent"
          hidden
          html={shell?.consent}
        />
        <Still as="header" id="site-header" className="site-header" html={shell?.header} />
        {children}
        <PageScript code={handles.find((handle) => handle?.script)?.script} nonce={nonce} />
        {footer ? <Still as="footer" id="site-footer" className="site-footer" html={shell?.footer} /> : null}
        <Still
          as="dialog"
          id="sign-in"
          className="dialog dialog-wide"
          aria-labelledby="sign-in-title"
          closedby="any"
          html={shell?.signIn}
        />
        <Slot
          as="section"
          id="toasts"
          className="toasts"
          popover="manual"
          aria-label="Notifications"
          aria-live="polite"
        />
        {app ? <Scripts /> : null}
      </body>
    </html>
  );
}

/** Work that was begun on a tool's page and left tells of its end on any other page of the app. */
function useNews() {
  useEffect(() => {
    if (runningIds().length > 0)
      void import('../features/image/web/running/running.ts').then(({ watchNoted }) => watchNoted());
    if (notedAnalyses().length > 0)
      void import('../features/pdf/web/running/running.ts').then(({ watchNoted }) => watchNoted());
  }, []);
}

/** Lets the shell know of each page; what is counted of it is decided there. */
function useShown() {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what it waits for
  useEffect(tellShown, [pathname]);
}

/** Says on <html> that the page has taken over from the server's HTML; effects of what it holds have run before. */
function useReady() {
  useEffect(() => {
    document.documentElement.dataset.ready = '';
  }, []);
}

export default function Root() {
  useReady();
  useNews();
  useShown();
  return <Outlet />;
}

/** Whatever no route caught: 404 in its own words, the rest with the request's id. */
export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return status === 404 ? <NotFoundView /> : <ErrorView status={status} />;
}
