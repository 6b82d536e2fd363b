import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import { Notice } from '#ui/notice.tsx';
import { ContinueForm, type ContinueFormProps } from './continue-form.tsx';
import { ReportForm, type ReportFormProps } from './report-form.tsx';
import './shared-page.css';

export interface SharedPageData {
  path: string;
  title: string;
  isReply: boolean;
  owner: string | null;
  date: { iso: string; text: string };
  messages: { role: 'user' | 'assistant'; content: string; files: number }[];
}

function Message({ role, content, files }: SharedPageData['messages'][number]) {
  const isQuestion = role === 'user';
  return (
    <article className="grid gap-2">
      <h2 className="visually-hidden">{isQuestion ? m.shared_question() : m.shared_reply()}</h2>
      {isQuestion && content !== '' ? (
        <p className="bubble" dir="auto">
          {content}
        </p>
      ) : null}
      {isQuestion ? null : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown renderer made it, which passes no markup
        <div className="min-w-0" dir="auto" dangerouslySetInnerHTML={{ __html: content }} />
      )}
      {files > 0 ? <p className="fine text-end">{m.shared_files({ count: files })}</p> : null}
    </article>
  );
}

interface SharedPageProps {
  page: SharedPageData;
  report: Omit<ReportFormProps, 'path'>;
  continuing: Omit<ContinueFormProps, 'path'>;
  reported: boolean;
}

export function SharedPage({ page, report, continuing, reported }: SharedPageProps) {
  const { path, title, isReply, owner, messages } = page;
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
          <p className="eyebrow">{isReply ? m.shared_kind_reply() : m.shared_kind_chat()}</p>
          <h1 className="h2 wrap-anywhere" dir="auto">
            {title}
          </h1>
          <p className="muted text-sm">
            {owner === null ? m.shared_on({ date }) : m.shared_by({ name: by, date })}
          </p>
          <p className="fine">{m.shared_note({ brand: setting('brand.name') })}</p>
        </header>
        {messages.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity but their place
          <Message key={at} {...message} />
        ))}
        <footer className="grid gap-6 border-t border-line pt-6">
          <ContinueForm path={path} {...continuing} />
          <ReportForm path={path} {...report} />
        </footer>
      </div>
    </main>
  );
}
