import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { openSignIn, toast } from '../../../client/page-events.ts';
import { request } from '../../../client/request.ts';
import type { Me } from '../../accounts/contract.ts';
import { featureTable, inCredits } from '../../credits/contract.ts';
import { CreditsCard } from '../../credits/web/credits-card.tsx';
import { priced, priceFor } from '../../credits/web/price.ts';
import { RefusalNotice } from '../../credits/web/refusal-notice.tsx';
import { usePerson } from '../../credits/web/use-person.ts';
import { useRefusal } from '../../credits/web/use-refusal.tsx';
import type { WorkRow, WorkView } from '../../works/contract.ts';
import { useLeave } from '../../works/web/use-leave.tsx';
import { WorkList } from '../../works/web/work-list.tsx';
import { defaultSettings, type Length, type WriterSettings, wordRanges, writerTexts } from '../contract.ts';
import { TextPanel } from './document/text-panel.tsx';
import { Intro } from './intro.tsx';
import { LiveView } from './live-view.tsx';
import { SettingsForm } from './side/settings-form.tsx';
import { useSaved } from './use-saved.ts';
import { useWriting, type Writing } from './use-writing.ts';
import { Failure, hasFailed } from './verdict.tsx';

/** What the route's loader gives. */
export interface WriterPageData {
  me: Me | null;
  work: WorkView | null;
  works: WorkRow[];
  next: string | null;
  /** The text that was asked for is not there. */
  missing: boolean;
}

const lengthOf = (settings: Record<string, unknown> | undefined): Length | null =>
  settings && Object.hasOwn(wordRanges, String(settings.length)) ? (settings.length as Length) : null;

function Missing() {
  return (
    <div className="writer-intro">
      <h2 className="h3">This text does not exist or is not yours</h2>
      <p>
        <Link className="link" to="/tools/writer">
          Write a new one
        </Link>
      </p>
    </div>
  );
}

/** The text that the version which is being written goes on with; '' for none. */
function useBegun(work: WorkView | null): string {
  const [text, setText] = useState({ of: '', content: '' });
  const { continues } = work?.version.settings ?? {};
  const of = work && typeof continues === 'string' && work.version.content === '' ? continues : '';
  const workId = work?.id;
  useEffect(() => {
    if (of === '' || !workId) return;
    const leaving = new AbortController();
    request<WorkView>(`/api/works/${workId}?version=${of}`, { signal: leaving.signal }).then(
      ({ version }) => setText({ of, content: version.content }),
      // Without it, what comes is shown all the same; the whole text is there at the end.
      () => undefined,
    );
    return () => leaving.abort();
  }, [workId, of]);
  return of !== '' && text.of === of ? text.content : '';
}

interface DeskProps {
  data: WriterPageData;
  me: Me | null;
  setCredits: (credits: number | null | undefined) => void;
  /** A run has begun in this work, which the page goes on to show. */
  onAdopted: (workId: string) => void;
}

/** One text and what it is asked for: begun here, or opened. */
function Desk({ data, me, setCredits, onAdopted }: DeskProps) {
  const { work } = data;
  const { revalidate } = useRevalidator();
  const reload = () => void revalidate();
  const price = priceFor(me, 'writer');
  const refusing = useRefusal(me, {
    feature: 'writer',
    price: featureTable.writer.price,
    fallback: writerTexts.failed,
  });
  const [control, unsaved] = useSaved(work, refusing, reload);
  const [failure, setFailure] = useState<{ text: string; kind: Writing['kind'] } | null>(null);
  const [began, setBegan] = useState(false);
  // A text that is opened stands before the form, where one is below the other.
  const [textFirst] = useState(work !== null);
  const writing = useWriting({
    work,
    setCredits,
    onStarted(id) {
      setFailure(null);
      if (id === work?.id) return reload();
      setBegan(true);
      onAdopted(id);
    },
    onChanged: reload,
    onRefused: refusing.refuse,
    onFailed(text, kind) {
      setFailure({ text, kind });
      toast({ title: 'Error', text, kind: 'danger' });
    },
  });
  const leaving = useLeave(control);
  const [chosen, setChosen] = useState<Length>(defaultSettings.length);
  const range = wordRanges[lengthOf(work?.version.settings) ?? chosen];
  const begun = useBegun(work);
  const isWriting = writing.phase !== 'idle' && writing.kind === 'text';

  const generate = (settings: WriterSettings, forget: () => void) => {
    if (!me) return openSignIn({ reason: 'Sign in to generate. What you typed is kept.' });
    refusing.clear();
    // What was changed by hand is saved before another version stands above it.
    void control.save().then((held) => {
      if (held !== null || !work) writing.generate(settings, work?.id ?? null, forget);
    });
  };
  const tried = work?.versions.find((version) => hasFailed(version) || version.state === 'stopped');
  const retry = () =>
    generate({ ...defaultSettings, prompt: '', ...(tried?.settings as Partial<WriterSettings>) }, () => {});
  // What the version that is shown says itself is said once.
  const isSaid = failure?.kind === 'text' && work !== null && hasFailed(work.version);
  const side = (
    <div key="side" className="writer-side">
      <CreditsCard
        me={me}
        price={`1\u00a0text = ${inCredits(featureTable.writer.price)}`}
        onUpgrade={refusing.upgrade}
      />
      <SettingsForm
        key={work?.id ?? 'new'}
        me={me}
        workId={work?.id ?? null}
        asked={(work?.version.settings ?? {}) as Partial<WriterSettings>}
        phase={writing.phase}
        writing={writing.kind === 'text'}
        began={began}
        onGenerate={generate}
        onStop={writing.stop}
        onLength={setChosen}
      />
    </div>
  );
  const page = (
    <section key="page" className="writer-page" aria-label="Document">
      {unsaved ? <div className="notice notice-danger">{unsaved}</div> : null}
      {failure && !isSaid && !isWriting ? (
        <Failure text={failure.text} onRetry={failure.kind === 'text' && tried ? retry : null} />
      ) : null}
      <RefusalNotice refusing={refusing} />
      {isWriting && writing.live ? (
        <LiveView
          title={work?.title ?? 'Your text'}
          live={writing.live}
          begun={begun}
          range={range}
          onStop={writing.stop}
        />
      ) : work ? (
        <TextPanel
          work={work}
          control={control}
          writing={writing}
          range={range}
          price={price === null ? null : `${inCredits(price)} each`}
          onRefused={refusing.refuse}
          onChanged={reload}
          goOnLabel={priced('Continue', me, 'writer')}
          onRetry={retry}
        />
      ) : data.missing ? (
        <Missing />
      ) : (
        <Intro />
      )}
    </section>
  );
  return (
    <>
      {textFirst ? [page, side] : [side, page]}
      {refusing.dialog}
      {leaving}
    </>
  );
}

/**
 * Controls on the left, the document on the right; on phones one below the other. A text that is begun here takes on
 * its address and goes on; any other one that is opened begins anew.
 */
export function WriterPage({ data }: { data: WriterPageData }) {
  const [me, setCredits] = usePerson(data.me);
  const navigate = useNavigate();
  const openId = data.work?.id ?? null;
  const [desk, setDesk] = useState({ id: openId, count: 0 });
  const adopted = useRef<string | null>(null);
  const goesOn = openId !== null && openId === adopted.current;
  const shown = desk.id === openId ? desk : { id: openId, count: goesOn ? desk.count : desk.count + 1 };
  if (shown !== desk) setDesk(shown);
  return (
    <main id="main" className="wrap writer">
      <header className="writer-head">
        <div>
          <h1 className="h1">AI Writer</h1>
          <p className="lead">Texts of the length you asked for, yours to edit and to take away.</p>
        </div>
        {openId || data.missing ? (
          <Link className="btn btn-secondary" to="/tools/writer">
            New text
          </Link>
        ) : null}
      </header>
      <Desk
        key={shown.count}
        data={data}
        me={me}
        setCredits={setCredits}
        onAdopted={(id) => {
          adopted.current = id;
          void navigate(`/tools/writer/${id}`, { preventScrollReset: true });
        }}
      />
      <div className="writer-below">
        {me ? (
          <WorkList
            feature="writer"
            title="Your texts"
            empty="What you generate is kept here, with every version."
            first={data}
            current={openId}
            onGone={() => void navigate('/tools/writer')}
          />
        ) : null}
      </div>
    </main>
  );
}
