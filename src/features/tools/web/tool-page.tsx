import { Plus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { useScrollToTop } from '#client/use-scroll-to-top.ts';
import { type Feature, featureTable } from '#features/credits/contract.ts';
import { RefusalNotice } from '#features/credits/web/refusal-notice.tsx';
import type { useRefusal } from '#features/credits/web/use-refusal.tsx';
import { m } from '#messages';
import { ToolRail } from './tool-rail.tsx';
import { ToolTitle } from './tool-title.tsx';

interface ToolPageProps {
  feature: Feature;
  /** Label of the link to a new work; null if the page already shows a new one. */
  newLabel: string | null;
  earlier: ReactNode;
  landing?: { head: ReactNode; foot: ReactNode } | null;
  children: ReactNode;
}

const frameClass =
  'flex min-h-[calc(100dvh-var(--header-h))] flex-col lg:grid lg:grid-cols-[3.5rem_20rem_minmax(0,1fr)] lg:grid-rows-[auto_auto_1fr]';

/** The same columns without the rail, as a card on the page: the button follows the settings. */
const landingWorkClass =
  'flex flex-col rounded-lg border border-line-strong shadow-3 lg:grid lg:grid-cols-[0_20rem_minmax(0,1fr)] lg:grid-rows-[auto_auto_auto_1fr] max-lg:[&>form>*]:order-none lg:[&>form>*]:static lg:[&>form>*]:row-span-1 lg:[&>form>*]:max-h-none lg:[&>form>*]:self-start lg:[&>form>*]:border-0 lg:[&>form>*]:bg-transparent lg:[&>form>:nth-child(2)]:row-start-3';

export function ToolPage({ feature, newLabel, earlier, landing = null, children }: ToolPageProps) {
  const { name, page = '' } = featureTable[feature];
  useScrollToTop();
  // The work has one position in both cases, so that it keeps its state when a guest signs in.
  return (
    <main id="main" className={landing ? 'wrap' : frameClass}>
      {landing ? landing.head : <ToolRail />}
      <div className={landing ? landingWorkClass : 'contents'}>
        <div className="flex min-h-14 items-center justify-between gap-2 ps-4 pe-2 lg:col-start-2 lg:row-start-1 lg:ps-5 print:hidden">
          <p className="text-sm font-semibold">{name}</p>
          {newLabel ? (
            <Link className="btn btn-ghost font-normal" to={page}>
              <Plus size={16} strokeWidth={1.75} aria-hidden="true" /> {newLabel}
            </Link>
          ) : null}
        </div>
        {children}
      </div>
      {landing ? (
        landing.foot
      ) : (
        <div className="grid content-start gap-10 border-line px-4 pb-12 lg:col-start-3 lg:row-start-3 lg:border-s lg:bg-surface lg:px-8 print:hidden">
          {earlier}
        </div>
      )}
    </main>
  );
}

interface ToolColumnsProps {
  /** On phones an opened work comes before the settings. */
  opened: boolean;
  form: ReactNode;
  result: ReactNode;
}

export function ToolColumns({ opened, form, result }: ToolColumnsProps) {
  const [resultFirst] = useState(opened);
  const parts = [<Part key="form">{form}</Part>, <Part key="result">{result}</Part>];
  return resultFirst ? parts.reverse() : parts;
}

const Part = ({ children }: { children: ReactNode }) => children;

interface ToolResultProps {
  label: string;
  title: string;
  onRename?: ((title: string) => void) | undefined;
  /** Shown instead of the title; '' if the result needs none. */
  lead?: string | undefined;
  actions?: ReactNode;
  refusing: Pick<ReturnType<typeof useRefusal>, 'refusal' | 'purchase'>;
  notices?: ReactNode;
  children: ReactNode;
}

export function ToolResult(props: ToolResultProps) {
  const { label, title, onRename, lead, actions, refusing, notices, children } = props;
  const id = useId();
  return (
    <section
      className="grid min-w-0 content-start gap-4 border-line px-4 pt-3 pb-10 lg:col-start-3 lg:row-span-2 lg:row-start-1 lg:border-s lg:bg-surface lg:px-8"
      aria-labelledby={id}
      data-tool-result
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        {lead !== undefined ? (
          // The tool's name is already above the settings.
          <>
            <h1 className="visually-hidden">{title}</h1>
            {lead ? <p className="h2 min-w-0 flex-[1_1_24rem] max-lg:text-lg">{lead}</p> : null}
          </>
        ) : (
          <ToolTitle title={title} onRename={onRename} />
        )}
        {actions}
      </header>
      <h2 className="visually-hidden" id={id}>
        {label}
      </h2>
      <div className="grid gap-2 empty:hidden">
        <RefusalNotice refusing={refusing} />
        {notices}
      </div>
      {children}
    </section>
  );
}

export function ToolMissing({ feature, newLabel }: { feature: Feature; newLabel: string }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="muted">{m.tools_missing()}</p>
      <Link className="btn btn-secondary" to={featureTable[feature].page ?? ''}>
        {newLabel}
      </Link>
    </div>
  );
}

export function ToolFacts({ facts }: { facts: readonly [name: string, text: string][] }) {
  return (
    <>
      <h3 className="h3">{m.tools_get_title()}</h3>
      <dl className="border-t border-fg">
        {facts.map(([name, text]) => (
          <div
            key={name}
            className="grid gap-x-6 gap-y-1 border-b border-line py-3 sm:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <dt className="font-semibold">{name}</dt>
            <dd className="text-fg-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
