import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { sampleImagesNote } from '#shared/sample-notes.ts';
import { Button } from '#ui/button.tsx';
import { SampleImages } from './sample-image.tsx';

const mark = (text: string) => <span className="mark">{text}</span>;

interface MomentProps {
  id: string;
  title: string;
  lead: string;
  action: { name: string; path: string };
  titleAbove?: boolean;
  children: ReactNode;
}

function Moment({ id, title, lead, action, titleAbove = false, children }: MomentProps) {
  return (
    <section
      className={`pt-24 max-md:pt-16 grid gap-x-16 gap-y-6 items-start ${titleAbove ? '' : 'lg:grid-cols-[20rem_minmax(0,1fr)]'}`}
      aria-labelledby={id}
    >
      <div
        className={`grid gap-4 justify-items-start ${titleAbove ? 'lg:grid-cols-[minmax(0,1fr)_auto] lg:items-end' : ''}`}
      >
        <div className="grid gap-2">
          <h2 className="h1 text-balance" id={id}>
            {title}
          </h2>
          <p className="lead max-w-none">{lead}</p>
        </div>
        <Button href={action.path}>{action.name}</Button>
      </div>
      {children}
    </section>
  );
}

function Frame({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border border-line rounded-lg bg-surface shadow-[var(--shadow-2)] overflow-hidden">
      <p className="flex justify-between gap-4 py-3 px-5 border-b border-line text-sm">
        <span className="font-semibold">{name}</span>
        <span className="text-fg-muted">{m.common_sample()}</span>
      </p>
      {children}
    </div>
  );
}

function Finding({ text, page, chosen }: { text: string; page: number; chosen?: boolean }) {
  return (
    <li
      className={`flex gap-2.5 py-4 px-5 text-sm border-b border-line ${chosen ? 'bg-sunken border-s-3 border-s-fg' : ''}`}
    >
      <Check className="flex-none mt-0.5 text-success" size={16} strokeWidth={2} aria-hidden="true" />
      <span>
        {text}
        {sentenceSeparator()}
        <span className="block mt-1 text-fg-muted">{m.home_quote_found({ page })}</span>
      </span>
    </li>
  );
}

export function QuoteMoment() {
  return (
    <Moment
      id="quote-title"
      title={m.home_quote_title()}
      lead={m.home_quote_lead()}
      action={{ name: m.home_quote_try(), path: '/tools/pdf' }}
    >
      <Frame name="kestrel-half-year.pdf">
        <div className="grid grid-cols-2 max-md:grid-cols-1">
          <ul className="md:border-e border-line">
            <Finding text={m.home_quote_premium()} page={1} chosen />
            <Finding text={m.home_quote_birds()} page={1} />
            <Finding text={m.home_quote_gearbox()} page={2} />
            <li className="flex gap-2.5 py-4 px-5 text-sm text-fg-muted max-md:border-b border-line">
              <X className="flex-none mt-0.5 text-danger" size={16} strokeWidth={2} aria-hidden="true" />
              {m.home_quote_left_out()}
            </li>
          </ul>
          <div className="grid gap-3 content-start p-8 text-[0.9375rem]/6 max-md:p-5">
            <p className="fine flex justify-between gap-4">
              <span>{m.home_quote_document()}</span> <span>{m.home_quote_page()}</span>
            </p>
            <p className="text-lg">{m.home_quote_heading()}</p>
            <p>{m.home_quote_first()}</p>
            <p>{m.home_quote_second()}</p>
            <p>{mark(m.home_quote_third())}</p>
          </div>
        </div>
      </Frame>
    </Moment>
  );
}

export function RewriteMoment() {
  return (
    <Moment
      id="rewrite-title"
      title={m.home_rewrite_title()}
      lead={m.home_rewrite_lead()}
      action={{ name: m.home_rewrite_try(), path: '/tools/writer' }}
      titleAbove
    >
      <Frame name={m.home_rewrite_asked()}>
        <p className="py-10 px-12 text-[clamp(1.25rem,1rem+1.2vw,1.75rem)]/[1.5] text-pretty max-md:py-6 max-md:px-5">
          {m.home_rewrite_diff({
            del: (text) => <del className="text-danger decoration-[1.5px]">{text}</del>,
            ins: (text) => <ins className="mark no-underline forced-colors:underline">{text}</ins>,
          })}
        </p>
        <p className="py-3 px-5 border-t border-line text-sm text-fg-muted">{m.home_rewrite_count()}</p>
      </Frame>
    </Moment>
  );
}

export function ImagesMoment() {
  return (
    <Moment
      id="images-title"
      title={m.home_images_title()}
      lead={m.home_images_lead()}
      action={{ name: m.home_images_try(), path: '/tools/image' }}
      titleAbove
    >
      <div className="grid gap-3">
        <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3 px-5 border border-line-strong rounded-md bg-surface">
          <span className="text-lg">{m.home_images_prompt()}</span>
          <span className="fine">{m.home_images_size({ price: featureTable.image.price })}</span>
        </p>
        <SampleImages className="grid-cols-4 max-md:grid-cols-2" />
        <p className="fine">{sampleImagesNote()}</p>
      </div>
    </Moment>
  );
}
