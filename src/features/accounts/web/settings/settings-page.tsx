import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { notifySignedOut } from '#client/page-events.ts';
import { useLoadedState } from '#client/use-loaded-state.ts';
import type { ImportView } from '#features/imports/contract.ts';
import type { Share } from '#features/shares/contract.ts';
import { locales, m } from '#messages';
import { pageTitle } from '#shared/page-title.ts';
import { Button } from '#ui/button.tsx';
import { LanguageSwitch } from '#ui/language-switch.tsx';
import { Notice } from '#ui/notice.tsx';
import type { ApiAddress, ApiKey } from '../../api-keys/api-keys-contract.ts';
import type { Me, ProviderName, SessionRow } from '../../contract.ts';
import { restoreDays } from '../../deletion/deletion-contract.ts';
import type { Instructions } from '../../instructions/instructions-contract.ts';
import type { Memory } from '../../instructions/memory-contract.ts';
import { AvatarField } from './avatar-field.tsx';
import { DeleteSection } from './delete-section.tsx';
import { InstructionsSection } from './instructions-section.tsx';
import { MemorySection } from './memory-section.tsx';
import { NameForm } from './name-form.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { ActionRow, SettingsSection } from './settings-section.tsx';
import { SignInSection } from './sign-in-section.tsx';

const ApiKeysSection = lazy(() => import('./api-keys-section.tsx'));
const ImportSection = lazy(() => import('#features/imports/web/import-section.tsx'));
const NotificationsSection = lazy(() => import('#features/devices/web/notifications-section.tsx'));
const OfflineSection = lazy(() => import('#features/devices/web/offline-section.tsx'));
const SharesSection = lazy(() => import('#features/shares/web/shares-section.tsx'));

export interface SettingsData {
  me: Me;
  providers: ProviderName[];
  sessions: SessionRow[];
  instructions: Instructions;
  memory: Memory;
  shares: Share[];
  lastImport: ImportView | null;
  keys: ApiKey[];
  api: ApiAddress;
}

function Deleted() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = pageTitle(m.settings_deleted());
    heading.current?.focus();
  }, []);
  return (
    <main id="main" className="wrap py-12 sm:py-24">
      <div className="mx-auto grid max-w-md gap-6">
        <h1 ref={heading} className="h1" tabIndex={-1}>
          {m.settings_deleted()}
        </h1>
        <p>{m.settings_deleted_text({ days: restoreDays })}</p>
        <Button size="lg" href="/">
          {m.common_go_home()}
        </Button>
      </div>
    </main>
  );
}

/** Reloads after another sign-in on this page, which may be another user's. */
function useReload(skip: RefObject<boolean>) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const onChange = (event: Event) => {
      const { signedIn } = (event as CustomEvent<{ signedIn?: boolean }>).detail ?? {};
      if (signedIn && !skip.current) void revalidate();
    };
    document.addEventListener('auth:changed', onChange);
    return () => document.removeEventListener('auth:changed', onChange);
  }, [skip, revalidate]);
}

export function SettingsPage({ data }: { data: SettingsData }) {
  const [me, setMe] = useLoadedState(data.me);
  const [deleted, setDeleted] = useState(false);
  const deleting = useRef(false);
  useReload(deleting);
  if (deleted) return <Deleted />;
  const onDeleted = () => {
    notifySignedOut({ forget: true });
    setDeleted(true);
  };
  return (
    <main id="main" className="wrap py-12">
      <div className="mx-auto grid max-w-160 gap-10">
        <h1 className="h2">{m.page_settings()}</h1>
        <noscript>
          <Notice kind="info">{m.settings_no_script()}</Notice>
        </noscript>
        <SettingsSection id="settings-profile" title={m.settings_profile()}>
          <AvatarField
            name={me.name}
            url={me.avatarUrl}
            onChanged={(avatarUrl) => setMe((now) => ({ ...now, avatarUrl }))}
          />
          <NameForm key={me.id} name={me.name} onSaved={(name) => setMe((now) => ({ ...now, name }))} />
        </SettingsSection>
        {locales.length > 1 ? (
          <SettingsSection id="settings-language" title={m.language_label()}>
            <LanguageSwitch />
          </SettingsSection>
        ) : null}
        <InstructionsSection key={`instructions-${me.id}`} first={data.instructions} />
        <MemorySection first={data.memory} />
        <SignInSection email={me.email} providers={data.providers} />
        <SessionsSection first={data.sessions} />
        <Suspense>
          <NotificationsSection key={`notifications-${me.id}`} owner={me.id} />
        </Suspense>
        <Suspense>
          <OfflineSection key={`offline-${me.id}`} owner={me.id} />
        </Suspense>
        <Suspense>
          <SharesSection first={data.shares} />
        </Suspense>
        <Suspense>
          <ApiKeysSection first={data.keys} api={data.api} />
        </Suspense>
        <SettingsSection id="settings-data" title={m.settings_data()}>
          <ActionRow text={m.settings_data_text()}>
            <Button href="/api/me/export" download>
              {m.settings_download()}
            </Button>
          </ActionRow>
        </SettingsSection>
        <Suspense>
          <ImportSection key={`import-${me.id}`} first={data.lastImport} />
        </Suspense>
        <DeleteSection email={me.email} waiting={deleting} onDeleted={onDeleted} />
      </div>
    </main>
  );
}
