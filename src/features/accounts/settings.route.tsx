import { type LoaderFunctionArgs, redirectDocument, useLoaderData } from 'react-router';
import { listImports } from '#features/imports/service.server.ts';
import { listShares } from '#features/shares/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { chatModels } from '#shared/chat-models.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { listKeys } from './api-keys/api-keys.server.ts';
import { providerNames } from './contract.ts';
import { readInstructions } from './instructions/instructions.server.ts';
import { readMemory } from './instructions/memory.server.ts';
import { accountDetails } from './profile/profile.server.ts';
import { listSessions } from './sessions/sessions.server.ts';
import { me } from './users/users.server.ts';
import { type SettingsData, SettingsPage } from './web/settings/settings-page.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta = () => unindexedMeta(m.page_settings());

const signIn = () => redirectDocument('/sign-in?next=/settings');

export async function loader({ context }: LoaderFunctionArgs): Promise<SettingsData> {
  const { actor } = context.get(pageContext);
  if (actor.kind !== 'user') throw signIn();
  const [person, { providers }, sessions, instructions, memory, shares, imports, keys] = await Promise.all([
    me({ actor }),
    accountDetails({ actor }),
    listSessions({ actor }),
    readInstructions({ actor }),
    readMemory({ actor }),
    listShares({ actor }),
    listImports({ actor }),
    listKeys({ actor }),
  ]).catch((error: unknown) => {
    // The account was deleted after the session was read.
    throw error instanceof Problem && error.code === 'unauthorized' ? signIn() : error;
  });
  const { publicUrl, LLM_MODEL: model } = config();
  const linked = providerNames.filter((name) => providers.includes(name));
  return {
    me: person,
    providers: linked,
    sessions,
    instructions,
    memory,
    shares,
    lastImport: imports[0] ?? null,
    keys,
    api: { baseUrl: `${publicUrl}/v1`, model: chatModels()[0]?.id ?? model },
  };
}

export default function Settings() {
  return <SettingsPage data={useLoaderData<typeof loader>()} />;
}
