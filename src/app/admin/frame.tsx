import type { ReactNode } from 'react';

import { setting } from '#shared/settings.ts';
import { Notice } from '#ui/notice.tsx';
import { Wordmark } from '../shell/wordmark.tsx';
import { type SectionPath, sections } from './sections.ts';

export interface FrameProps {
  title: string;
  here: SectionPath | null;
  email: string;
  /** The result of the action that led to this page. */
  done?: string | null;
  /** Minutes until the session is too old to act; 0: it already is. */
  minutesToAct: number;
  /** URL of this page, to return to after a sign-in. */
  address: string;
  children: ReactNode;
}

function Navigation({ here }: { here: SectionPath | null }) {
  return (
    <nav aria-label="Administration" className="min-w-0 ml:sticky ml:top-4">
      <ul className="flex flex-wrap gap-x-1 ml:grid ml:gap-1">
        {sections.map(({ path, name }) => (
          <li key={path}>
            <a className="nav-item" href={path} aria-current={path === here ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SignInState({ minutesToAct, address }: Pick<FrameProps, 'minutesToAct' | 'address'>) {
  if (minutesToAct > 0) return null;
  return (
    <Notice kind="warning" className="flex flex-wrap items-center gap-x-3">
      You signed in too long ago to make changes.
      <a className="link" href={`/admin/sign-in?next=${encodeURIComponent(address)}`}>
        Sign in again
      </a>
    </Notice>
  );
}

export function Frame({ title, here, email, done, minutesToAct, address, children }: FrameProps) {
  return (
    <>
      <title>{`${title} · Administration · ${setting('brand.name')}`}</title>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="border-b border-line text-sm">
        <div className="wrap flex flex-wrap items-center gap-x-4">
          <Wordmark />
          <span className="muted">Administration</span>
          <span className="ms-auto wrap-anywhere text-fg-muted max-xs:hidden">{email}</span>
        </div>
      </header>
      <div className="wrap grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-4 py-6 ml:grid-cols-[9rem_minmax(0,1fr)]">
        <Navigation here={here} />
        <main id="main" className="grid min-w-0 gap-6" tabIndex={-1}>
          <SignInState minutesToAct={minutesToAct} address={address} />
          {done ? (
            <Notice kind="success" live>
              {done}
            </Notice>
          ) : null}
          {children}
        </main>
      </div>
    </>
  );
}
