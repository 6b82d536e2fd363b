import { renderToStaticMarkup } from 'react-dom/server';
import { configuredProviders } from '#features/accounts/service.server.ts';
import { onSale } from '#features/billing/service.server.ts';
import { type Locale, locale } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { settingsVersion } from '#platform/settings/live-settings.server.ts';
import { ConsentContents } from './consent-banner.tsx';
import type { ShellParts } from './request-info.ts';
import { SignInContents } from './sign-in-dialog.tsx';
import { FooterContents } from './site-footer.tsx';
import { HeaderContents } from './site-header.tsx';
import { allPages } from './site-pages.ts';

const staticParts = new Map<Locale, Omit<ShellParts, 'header'>>();
/** By language and the page or section marked as current in the header, so the number is bounded. */
const headers = new Map<string, string>();

function currentPath(path: string): string {
  const exact = allPages.some((page) => page.path === path);
  const section = allPages.find((page) => page.path !== '/' && path.startsWith(`${page.path}/`));
  return exact ? path : section ? `${section.path}/` : '';
}

const render = (): Omit<ShellParts, 'header'> => ({
  consent: renderToStaticMarkup(<ConsentContents />),
  footer: renderToStaticMarkup(<FooterContents />),
  signIn: renderToStaticMarkup(
    <SignInContents providers={configuredProviders()} mailbox={config().mailbox} onSale={onSale()} />,
  ),
});

let renderedVersion = settingsVersion();

/** Returns the shell's HTML, which is the same for everybody and rendered once per language and settings version. */
export function shellParts(path: string): ShellParts {
  if (renderedVersion !== settingsVersion()) {
    staticParts.clear();
    headers.clear();
    renderedVersion = settingsVersion();
  }
  const parts = staticParts.get(locale()) ?? render();
  staticParts.set(locale(), parts);
  const here = currentPath(path);
  const key = `${locale()} ${here}`;
  const header = headers.get(key) ?? renderToStaticMarkup(<HeaderContents here={here} />);
  headers.set(key, header);
  return { ...parts, header };
}
