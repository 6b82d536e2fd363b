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

const still = new Map<Locale, Omit<ShellParts, 'header'>>();
/** By language and the page or section marked as current in the header, so the number is bounded. */
const headers = new Map<string, string>();

function placeOf(path: string): string {
  const exact = allPages.some((place) => place.path === path);
  const section = allPages.find((place) => place.path !== '/' && path.startsWith(`${place.path}/`));
  return exact ? path : section ? `${section.path}/` : '';
}

const render = (): Omit<ShellParts, 'header'> => ({
  consent: renderToStaticMarkup(<ConsentContents />),
  footer: renderToStaticMarkup(<FooterContents />),
  signIn: renderToStaticMarkup(
    <SignInContents providers={configuredProviders()} mailbox={config().mailbox} onSale={onSale()} />,
  ),
});

let rendered = settingsVersion();

/** Returns the shell's HTML, which is the same for everybody and rendered once per language and settings version. */
export function shellParts(path: string): ShellParts {
  if (rendered !== settingsVersion()) {
    still.clear();
    headers.clear();
    rendered = settingsVersion();
  }
  const parts = still.get(locale()) ?? render();
  still.set(locale(), parts);
  const here = placeOf(path);
  const key = `${locale()} ${here}`;
  const header = headers.get(key) ?? renderToStaticMarkup(<HeaderContents here={here} />);
  headers.set(key, header);
  return { ...parts, header };
}
