import { renderToStaticMarkup } from 'react-dom/server';
import { configuredProviders } from '../../features/accounts/oauth/service.server.ts';
import { onSale } from '../../features/billing/provider/service.server.ts';
import { config } from '../../platform/config/config.server.ts';
import { ConsentContents } from './consent-banner.tsx';
import { allPlaces } from './places.ts';
import type { ShellParts } from './request-facts.ts';
import { SignInContents } from './sign-in-dialog.tsx';
import { FooterContents } from './site-footer.tsx';
import { HeaderContents } from './site-header.tsx';

let still: Omit<ShellParts, 'header'> | undefined;
/** By the place that the header marks, so that there are as many as places. */
const headers = new Map<string, string>();

/** The place that a path is at or below, as the header marks it. */
function placeOf(path: string): string {
  const exact = allPlaces.some((place) => place.path === path);
  const section = allPlaces.find((place) => place.path !== '/' && path.startsWith(`${place.path}/`));
  return exact ? path : section ? `${section.path}/` : '';
}

/** What surrounds every page, as HTML: rendered once, the same for everybody. */
export function shellParts(path: string): ShellParts {
  still ??= {
    consent: renderToStaticMarkup(<ConsentContents />),
    footer: renderToStaticMarkup(<FooterContents />),
    signIn: renderToStaticMarkup(
      <SignInContents providers={configuredProviders()} mailbox={config().mailbox} onSale={onSale()} />,
    ),
  };
  const here = placeOf(path);
  const header = headers.get(here) ?? renderToStaticMarkup(<HeaderContents here={here} />);
  headers.set(here, header);
  return { ...still, header };
}
