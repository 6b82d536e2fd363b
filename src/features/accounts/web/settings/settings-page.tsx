import { type RefObject, useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { pageTitle } from '../../../../shared/page-title.ts';
import type { Me, ProviderName, SessionRow } from '../../contract.ts';
import { restoreDays } from '../../deletion/contract.ts';
import { AvatarField } from './avatar-field.tsx';
import { DeleteSection } from './delete-section.tsx';
import { NameForm } from './name-form.tsx';
import { Offer, Section } from './section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SignInSection } from './sign-in-section.tsx';

/** What the route's loader gives. */
export interface SettingsData {
  me: Me;
  /** Those that this person has signed in with. */
  providers: ProviderName[];
  sessions: SessionRow[];
}

const DELETED = 'Your account is deleted';

function Deleted() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = pageTitle(DELETED);
    heading.current?.focus();
  }, []);
  return (
    <main id="main" className="wrap py-12 sm:py-24">
      <div className="mx-auto grid max-w-md gap-6">
        <h1 ref={heading} className="h1" tabIndex={-1}>
          {DELETED}
        </h1>
        <p>{`A mail confirms it. For ${restoreDays} days you can sign in again to restore everything; then it is erased.`}</p>
        <a className="btn btn-secondary btn-lg" href="/">
          Go to the start page
        </a>
      </div>
    </main>
  );
}

/** Another sign-in on this page may be another person: everything is read anew. */
function useReload(unless: RefObject<boolean>) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const onChange = (event: Event) => {
      const { signedIn } = (event as CustomEvent<{ signedIn?: boolean }>).detail ?? {};
      if (signedIn && !unless.current) void revalidate();
    };
    document.addEventListener('auth:changed', onChange);
    return () => document.removeEventListener('auth:changed', onChange);
  }, [unless, revalidate]);
}

/** The settings in one column. */
export function SettingsPage({ data }: { data: SettingsData }) {
  const [me, setMe] = useState(data.me);
  const [seen, setSeen] = useState(data.me);
  const [deleted, setDeleted] = useState(false);
  if (seen !== data.me) {
    setSeen(data.me);
    setMe(data.me);
  }
  const deleting = useRef(false);
  useReload(deleting);
  if (deleted) return <Deleted />;
  const onDeleted = () => {
    document.dispatchEvent(new CustomEvent('auth:lost', { detail: { forget: true } }));
    setDeleted(true);
  };
  return (
    <main id="main" className="wrap py-12">
      <div className="mx-auto grid max-w-[46rem] gap-10">
        <h1 className="h1">Settings</h1>
        <noscript>
          <p className="notice notice-info">
            Changes on this page need JavaScript. The download of your data works without it.
          </p>
        </noscript>
        <Section id="settings-profile" title="Profile" about="How this site addresses you.">
          <AvatarField
            name={me.name}
            url={me.avatarUrl}
            onChanged={(avatarUrl) => setMe((now) => ({ ...now, avatarUrl }))}
          />
          <NameForm key={me.id} name={me.name} onSaved={(name) => setMe((now) => ({ ...now, name }))} />
        </Section>
        <SignInSection email={me.email} providers={data.providers} />
        <SessionsSection first={data.sessions} />
        <Section id="settings-data" title="Your data">
          <Offer text="Everything of yours in one archive: chats as Markdown and JSON, your files, the credit ledger.">
            <a className="btn btn-secondary" href="/api/me/export" download>
              Download my data
            </a>
          </Offer>
        </Section>
        <DeleteSection email={me.email} waiting={deleting} onDeleted={onDeleted} />
      </div>
    </main>
  );
}
