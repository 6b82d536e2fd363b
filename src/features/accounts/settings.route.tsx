import { type LoaderFunctionArgs, redirectDocument, useLoaderData } from 'react-router';
import { pageContext } from '../../platform/http/page-context.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { account } from './profile/service.server.ts';
import { listSessions } from './sessions/service.server.ts';
import { me } from './users/service.server.ts';
import { type SettingsData, SettingsPage } from './web/settings/settings-page.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta = () => [{ title: 'Settings' }, { name: 'robots', content: 'noindex' }];

const names: Record<string, string> = { google: 'Google', github: 'GitHub' };

/** Guests sign in first, on a page of the other kind. */
export async function loader({ context }: LoaderFunctionArgs): Promise<SettingsData> {
  const { actor } = context.get(pageContext);
  if (actor.kind !== 'user') throw redirectDocument('/sign-in?next=/settings');
  const [person, { providers }, sessions] = await Promise.all([
    me({ actor }),
    account({ actor }),
    listSessions({ actor }),
  ]);
  return { me: person, providers: providers.map((name) => names[name] ?? name), sessions };
}

export default function Settings() {
  return <SettingsPage data={useLoaderData<typeof loader>()} />;
}
