import { Square } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useKeptForm } from '../../../client/kept-form.ts';
import { openSignIn } from '../../../client/page-events.ts';
import type { Me } from '../../accounts/contract.ts';
import { featureTable, inCredits } from '../../credits/contract.ts';
import { CreditsCard } from '../../credits/web/credits-card.tsx';
import { mayUse, priced, priceFor } from '../../credits/web/price.ts';
import { RefusalNotice } from '../../credits/web/refusal-notice.tsx';
import { usePerson } from '../../credits/web/use-person.ts';
import { useRefusal } from '../../credits/web/use-refusal.tsx';
import type { WorkRow, WorkView } from '../../works/contract.ts';
import { useLeave } from '../../works/web/use-leave.tsx';
import { WorkList } from '../../works/web/work-list.tsx';
import { type ScriptSettings, scriptTexts } from '../contract.ts';
import { emptyForm, type FormValues, ScriptForm } from './form/script-form.tsx';
import { Platforms } from './platforms.tsx';
import { Sample } from './sample.tsx';
import { ScriptView } from './script-view.tsx';
import { type ScriptRuns, useScript } from './use-script.ts';
import { useSource } from './use-source.ts';
import './script.css';

/** What the route's loader gives. */
export interface ScriptPageData {
  me: Me | null;
  work: WorkView | null;
  list: { works: WorkRow[]; next: string | null };
  /** The address names a script that is not there, or is somebody else's. */
  missing: boolean;
  /** Fountain text that is shown where there is no script. */
  sample: string;
}

const valuesOf = (work: WorkView | null): FormValues => {
  if (!work) return emptyForm;
  const { scene, style, minutes, characters } = work.version.settings as unknown as Partial<ScriptSettings>;
  return {
    scene: scene ?? '',
    style: style ?? '',
    minutes: minutes ? String(minutes) : '',
    characters: characters ?? '',
  };
};

interface InstanceProps {
  data: ScriptPageData;
  onStarted: (workId: string) => void;
}

function Missing() {
  return (
    <div className="script-missing">
      <h2 className="h3">This script does not exist or is not yours.</h2>
      <p className="muted">It may have been deleted, or it belongs to another account.</p>
      <p>
        <Link className="btn btn-secondary" to="/tools/script">
          New script
        </Link>
      </p>
    </div>
  );
}

/** Starts, and stops in the same place. */
function Submit({ runs: { writing }, label }: { runs: ScriptRuns; label: string }) {
  const busy = writing.phase !== 'idle';
  return (
    <button
      type={busy ? 'button' : 'submit'}
      className={`btn btn-lg ${busy ? 'btn-secondary' : 'btn-primary'}`}
      aria-busy={writing.phase === 'stopping'}
      // The second press of a double click is none.
      onClick={(event) => busy && event.detail < 2 && writing.stop()}
    >
      {busy ? <Square size={14} strokeWidth={1.75} aria-hidden="true" /> : null}
      {busy ? 'Stop' : label}
    </button>
  );
}

/** The page of one script, or of the next one. */
function Instance({ data, onStarted }: InstanceProps) {
  const { work, missing, sample } = data;
  const [me, onCredits] = usePerson(data.me);
  const open = mayUse(me, 'script');
  const refusal = useRefusal(me, {
    feature: 'script',
    price: priceFor(me, 'script') ?? 0,
    fallback: scriptTexts.failed,
  });
  const form = useKeptForm<FormValues>(work ? `script:${work.id}` : 'script', valuesOf(work), me?.id ?? null);
  const started = (workId: string) => {
    form.forget();
    onStarted(workId);
  };
  const runs = useScript({ work, onStarted: started, onCredits, onRefused: refusal.refuse });
  const source = useSource(work);
  const leaving = useLeave(source);
  const busy = runs.writing.phase !== 'idle';
  const submit = async (values: FormValues) => {
    if (busy) return;
    refusal.clear();
    if (!me) return openSignIn({ reason: 'Sign in to write the script. What you typed is kept.' });
    if (!open) return refusal.upgrade();
    // What was changed by hand is saved before another version stands above it.
    if (work && (await source.saved()) === null) return;
    runs.write(values);
  };
  const label = !me || !open ? 'Generate' : priced(work ? 'Generate again' : 'Generate', me, 'script');
  // A script that is opened stands before the form, where one is below the other.
  const [scriptFirst] = useState(work !== null);
  const side = (
    <div key="side" className="script-side">
      <CreditsCard
        me={me}
        price={open && me ? `1 script = ${inCredits(featureTable.script.price)}` : null}
        onUpgrade={refusal.upgrade}
      />
      <ScriptForm form={form} onSubmit={(values) => void submit(values)}>
        <div className="script-go">
          <Submit runs={runs} label={label} />
          <p className="fine script-keys">{busy ? 'What has arrived is kept.' : 'Ctrl+Enter generates.'}</p>
        </div>
        <RefusalNotice refusing={refusal} />
      </ScriptForm>
    </div>
  );
  const script = work ? (
    <ScriptView
      key="script"
      work={work}
      runs={runs}
      source={source}
      rewriteLabel={open ? priced('Rewrite', me, 'script') : 'Rewrite'}
      onRetry={(failed) => void submit(failed ? form.values : valuesOf(work))}
    />
  ) : (
    <div key="none" className="script-main">
      {missing ? (
        <Missing />
      ) : (
        <Sample text={sample} locked={!open} guest={!me} onUpgrade={refusal.upgrade} />
      )}
    </div>
  );
  return (
    <>
      <div className="script-columns">{scriptFirst ? [script, side] : [side, script]}</div>
      {refusal.dialog}
      {leaving}
    </>
  );
}

/**
 * The page. Another script is another instance; one that was begun here stays in the instance that reads it, while the
 * address takes on its name.
 */
export function ScriptPage({ data }: { data: ScriptPageData }) {
  const navigate = useNavigate();
  const id = data.work?.id ?? (data.missing ? 'missing' : 'new');
  const shown = useRef({ id, key: 0, adopts: '' });
  if (shown.current.id !== id) {
    const { key, adopts } = shown.current;
    shown.current = { id, key: adopts === id ? key : key + 1, adopts: '' };
  }
  const { me, work, list, missing } = data;
  return (
    <main id="main" className="wrap script-page">
      <header className="script-top">
        <div>
          <h1 className="h1">Script Generator</h1>
          <p className="lead">
            A scene in your words becomes a screenplay, in the format that production reads.
          </p>
        </div>
        {work || missing ? (
          <Link className="btn btn-secondary" to="/tools/script">
            New script
          </Link>
        ) : null}
      </header>
      <Instance
        key={shown.current.key}
        data={data}
        onStarted={(workId) => {
          shown.current.adopts = workId;
        }}
      />
      <div className="script-foot">
        <WorkList
          feature="script"
          title="Your scripts"
          empty={me ? 'What you write is kept here.' : 'Sign in to keep what you write here.'}
          first={list}
          current={work?.id ?? null}
          onGone={() => void navigate('/tools/script', { preventScrollReset: true })}
        />
        <Platforms />
      </div>
    </main>
  );
}
