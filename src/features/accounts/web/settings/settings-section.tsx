import type { ReactNode } from 'react';
import { Notice } from '#ui/notice.tsx';

interface SettingsSectionProps {
  id: string;
  title: string;
  about?: string;
  danger?: boolean;
  children: ReactNode;
}

/** The heading gets the focus when a change removes the focused control. */
export function SettingsSection({ id, title, about, danger = false, children }: SettingsSectionProps) {
  return (
    <section className="grid gap-3" aria-labelledby={id}>
      <div className="grid gap-1">
        <h2 className="h3" id={id} tabIndex={-1}>
          {title}
        </h2>
        {about ? <p className="muted text-sm">{about}</p> : null}
      </div>
      <div className={danger ? 'card grid gap-5 border-danger' : 'card grid gap-5'}>{children}</div>
    </section>
  );
}

export function ActionRow({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="muted flex-1 basis-64 text-sm">{text}</p>
      {children}
    </div>
  );
}

export function ErrorLine({ id, text }: { id?: string; text: string | null }) {
  return text ? (
    <Notice id={id} kind="danger">
      {text}
    </Notice>
  ) : null;
}
