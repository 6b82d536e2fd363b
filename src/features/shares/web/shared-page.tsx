import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import { Notice } from '#ui/notice.tsx';
import type { ShareKind } from '../contract.ts';
import { ContinueForm, type ContinueFormProps } from './continue-form.tsx';
import { ReportForm, type ReportFormProps } from './report-form.tsx';
import { type RenderedContent, SharedContent } from './shared-content.tsx';
import { kindNames, notes } from './shared-kinds.ts';

export interface SharedPageData {
  path: string;
  kind: ShareKind;
  count: number;
  /** Null: the name of its kind is shown instead. */
  title: string | null;
  owner: string | null;
  date: { iso: string; text: string };
  content: RenderedContent;
}

interface SharedPageProps {
  page: SharedPageData;
  report: Omit<ReportFormProps, 'path'>;
  continuing: Omit<ContinueFormProps, 'path' | 'kind'>;
  reported: boolean;
}

export function SharedPage({ page, report, continuing, reported }: SharedPageProps) {
  const { path, kind, title, owner, content } = page;
  // For images, only those that are left.
  const count = 'images' in content ? content.images.length : page.count;
  const name = kindNames[kind]({ count });
  const date = () => <time dateTime={page.date.iso}>{page.date.text}</time>;
  const by = () => <bdi>{owner}</bdi>;
  return (
    <main id="main" className="wrap py-12 max-md:py-8">
      <div className="mx-auto grid max-w-3xl gap-8 *:min-w-0">
        {reported ? (
          <Notice kind="success" live>
            {m.shared_reported()}
          </Notice>
        ) : null}
        <header className="grid gap-3 border-b border-line pb-6">
          {title === null ? null : <p className="eyebrow">{name}</p>}
          <h1 className="h2 wrap-anywhere" dir="auto">
            {title ?? name}
          </h1>
          <p className="muted text-sm">
            {owner === null ? m.shared_on({ date }) : m.shared_by({ name: by, date })}
          </p>
          <p className="fine">{notes[kind]({ brand: setting('brand.name'), count })}</p>
        </header>
        <SharedContent content={content} heading={name} />
        <footer className="grid gap-6 border-t border-line pt-6">
          {kind === 'images' ? null : <ContinueForm path={path} kind={kind} {...continuing} />}
          <ReportForm path={path} {...report} />
        </footer>
      </div>
    </main>
  );
}
