import { url as builtEnhanceUrl } from 'virtual:enhance';
import { lazy, Suspense, useContext, useEffect, useState } from 'react';
import {
  isRouteErrorResponse,
  Links,
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
import { notifyPageShown } from '#client/page-events.ts';
import { session } from '#client/storage.ts';
import { locale, m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { textDirection } from '#shared/language-path.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { changedSettingsJson, settingsElement } from '#shared/settings.ts';
import { brandColorsPath } from './brand-files.server.ts';
import { ErrorView } from './pages/error/error-view.tsx';
import { NotFoundView } from './pages/error/not-found-view.tsx';
import { isSearchKey } from './search-key.ts';
import './shell/app.css';
import { currentSale } from './shell/current-sale.server.ts';
import { EnhancedSlot } from './shell/enhanced-slot.tsx';
import { PageScript } from './shell/page-script.tsx';
import { RequestInfoContext } from './shell/request-info.ts';
import { ServerHtml } from './shell/server-html.tsx';

/** Public pages are cached by path and `signedIn`, so this must not return anything else about the visitor. */
export function loader({ context }: LoaderFunctionArgs) {
  const { publicUrl, sandbox } = config();
  return {
    signedIn: context.get(pageContext).actor.kind === 'user',
    publicUrl,
    sandbox,
    sale: currentSale(),
    colors: brandColorsPath(),
  };
}

/** The data changes at sign-in, which requests a revalidation, but not with the URL. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return currentUrl.href === nextUrl.href && defaultShouldRevalidate;
}

/** Icons, the font and the manifest are added to the head only on the server: see app-head.server.ts. */
export function Layout({ children }: { children: React.ReactNode }) {
  const { nonce, shell, firstScript, enhanceUrl = builtEnhanceUrl } = useContext(RequestInfoContext);
  const { signedIn = false, colors = null } = useRouteLoaderData<typeof loader>('root') ?? {};
  const handles = useMatches().map((match) => match.handle as PageHandle | undefined);
  const app = handles.some((handle) => handle?.page === 'app');
  const failed = Boolean(useRouteError());
  const header = failed || handles.every((handle) => handle?.header !== false);
  const footer = !app || failed || handles.some((handle) => handle?.footer);
  return (
    <html
      lang={locale()}
      dir={textDirection(locale())}
      data-page={app ? 'app' : 'public'}
      data-frame={footer ? 'page' : 'screen'}
      data-header={header ? undefined : 'none'}
      data-auth={signedIn ? 'in' : 'out'}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <ServerHtml as="script" id="first-script" nonce={nonce} html={firstScript} />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
        {colors ? <link rel="stylesheet" href={colors} /> : null}
        <script type="module" src={enhanceUrl} nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <a className="skip-link" href="#main">
          {m.shell_skip()}
        </a>
        <ServerHtml
          as="section"
          id="consent"
          className="consent print:hidden"
          aria-label={m.consent_label()}
          hidden
          html={shell?.consent}
        />
        <ServerHtml
          as="header"
          id="site-header"
          className="site-header flex-none border-b text-sm border-line print:hidden"
          hidden={!header}
          html={shell?.header}
        />
        {children}
        <PageScript code={handles.find((handle) => handle?.script)?.script} nonce={nonce} />
        {footer ? (
          <ServerHtml
            as="footer"
            id="site-footer"
            className="site-footer flex-none mt-24 border-t pt-10 pb-12 text-sm text-fg-muted border-line max-md:mt-16 print:hidden"
            html={shell?.footer}
          />
        ) : null}
        <ServerHtml
          as="dialog"
          id="sign-in"
          className="dialog dialog-wide"
          aria-labelledby="sign-in-title"
          closedby="any"
          html={shell?.signIn}
        />
        <EnhancedSlot
          as="section"
          id="toasts"
          className="toasts print:hidden"
          popover="manual"
          aria-label={m.shell_notifications()}
          aria-live="polite"
        />
        {app ? <ChangedSettings /> : null}
        {app ? <Scripts /> : null}
      </body>
    </html>
  );
}

/** Passes changed settings to the page's scripts, which read them before hydration. */
function ChangedSettings() {
  const json = changedSettingsJson();
  if (json === null) return null;
  return (
    <script
      id={settingsElement}
      type="application/json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without `<`, which browsers do not run
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}

const backgroundRuns = {
  'images-running': async () => (await import('#features/images/web/image-runs.ts')).imageRuns,
  'analyses-running': async () => (await import('#features/pdfs/web/analysis-runs.ts')).analysisRuns,
};

function useBackgroundRuns() {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page just left reported its own runs until now
  useEffect(() => {
    for (const [key, load] of Object.entries(backgroundRuns))
      if (session.getItem(key)) void load().then((runs) => runs.resume());
  }, [pathname]);
}

function usePageViewEvents() {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change of the path
  useEffect(notifyPageShown, [pathname]);
}

/** Sets `data-ready` on <html> after hydration; effects of child components have already run. */
function useReady() {
  useEffect(() => {
    document.documentElement.dataset.ready = '';
    window.earlyPress?.repeat();
  }, []);
}

const SearchByKey = lazy(() => import('#features/library/web/search-by-key.tsx'));

/** Opens the search with Ctrl+K (Command+K on Apple devices) for signed-in users; the chat handles the key itself. */
function useSearchKey() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isSearchKey(event) || document.documentElement.dataset.auth !== 'in') return;
      if (document.querySelector('.chat-side, dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return isOpen ? (
    <Suspense>
      <SearchByKey onEnd={() => setOpen(false)} />
    </Suspense>
  ) : null;
}

export default function Root() {
  useReady();
  useBackgroundRuns();
  usePageViewEvents();
  const search = useSearchKey();
  return (
    <>
      <Outlet />
      {search}
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return status === 404 ? <NotFoundView /> : <ErrorView status={status} />;
}
