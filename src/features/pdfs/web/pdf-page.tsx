import { lazy, useEffect, useRef } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { json, request } from '#client/api-request.ts';
import { prefillText, takeTextFromUrl } from '#client/form-draft.ts';
import { openSignIn, toast } from '#client/page-events.ts';
import type { Me } from '#features/accounts/contract.ts';
import { featureTable } from '#features/credits/contract.ts';
import { LockedTool } from '#features/credits/web/locked-tool.tsx';
import { canUse, priceLabel } from '#features/credits/web/price-label.ts';
import { RefusalNotice } from '#features/credits/web/refusal-notice.tsx';
import { useCurrentUser } from '#features/credits/web/use-current-user.ts';
import { useRefusal } from '#features/credits/web/use-refusal.tsx';
import type { ToolData } from '#features/tools/contract.ts';
import { landingParts } from '#features/tools/web/landing/landing-parts.tsx';
import { ToolForm } from '#features/tools/web/tool-form.tsx';
import { ToolColumns, ToolPage, ToolResult } from '#features/tools/web/tool-page.tsx';
import { m } from '#messages';
import { Notice } from '#ui/notice.tsx';
import { type DocumentRow, type DocumentSample, type DocumentView, documentLimits } from '../contract.ts';
import { analysisRuns } from './analysis-runs.ts';
import { DocumentWorkspace } from './document-workspace.tsx';
import { DropZone } from './files/drop-zone.tsx';
import { FileList } from './files/file-list.tsx';
import { useUpload } from './files/use-upload.ts';
import { KeywordsPanel, QuestionsPanel, SummaryPanel } from './findings/result-panels.tsx';
import './pdf.css';

export interface PdfPageData extends ToolData<DocumentView, DocumentRow[]> {
  /** For people without a document. */
  sample: DocumentSample | null;
}

const path = '/tools/pdf';

const { sample: landingSample, ...landing } = landingParts(lazy(() => import('./pdf-landing.tsx')));

function priceText() {
  const { free, price } = featureTable.pdf;
  return free ? m.pdfs_price({ count: price }) : null;
}

const promises = () => [
  m.pdfs_promise_find({ count: documentLimits.pages }),
  m.pdfs_promise_cite(),
  m.pdfs_promise_ask(),
];

function useDeletion(onDeleted: (id: string) => void, refuse: (error: unknown) => void) {
  const { revalidate } = useRevalidator();
  return async ({ id, name }: Pick<DocumentRow, 'id' | 'name'>) => {
    try {
      await request<void>(`/api/documents/${id}`, json('DELETE', {}));
    } catch (error) {
      return refuse(error);
    }
    onDeleted(id);
    void revalidate();
    const restore = () =>
      request<DocumentRow>(`/api/documents/${id}/restore`, json('POST', {}))
        .then(() => revalidate())
        .catch(refuse);
    toast({ text: m.pdfs_deleted({ name }), action: { label: m.common_undo(), run: () => void restore() } });
  };
}

function useFileList({ list, opened }: PdfPageData) {
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);
  const deletedId = useRef<string | null>(null);
  useEffect(() => analysisRuns.onEnded(() => void revalidate()), [revalidate]);
  useEffect(() => {
    if (deletedId.current === null || opened || list.some(({ id }) => id === deletedId.current)) return;
    deletedId.current = null;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [opened, list]);
  return { heading, deletedId };
}

function uploadBlocker(me: Me | null, locked: boolean, upgrade: () => void) {
  if (!me) return { text: m.pdfs_waits_sign_in(), label: m.pdfs_sign_in(), action: () => openSignIn() };
  return locked ? { text: m.pdfs_waits_pro(), label: m.upgrade_go_pro(), action: upgrade } : null;
}

type Refusing = ReturnType<typeof useRefusal>;

const dialogCodes = ['unauthorized', 'plan_required', 'credits_exhausted'];

interface StartProps {
  data: PdfPageData;
  me: Me | null;
  refusing: Refusing;
}

function SampleFindings({ sample }: { sample: DocumentSample }) {
  return (
    <section className="grid gap-4" aria-labelledby="pdf-sample">
      <p className="eyebrow">{m.common_sample()}</p>
      <h2 className="h3" id="pdf-sample">
        {sample.name}
      </h2>
      <p className="muted text-sm">{m.pdfs_sample_text({ count: sample.pages })}</p>
      <div lang="en" className="grid gap-8 xl:grid-cols-[1.4fr_1fr] xl:gap-12">
        <SummaryPanel findings={sample.findings} />
        <div className="min-w-0">
          <QuestionsPanel findings={sample.findings} />
          <KeywordsPanel findings={sample.findings} />
        </div>
      </div>
    </section>
  );
}

function Start({ data: { missing, sample }, me, refusing }: StartProps) {
  const navigate = useNavigate();
  const { refuse, clear, upgrade } = refusing;
  const { free } = featureTable.pdf;
  const locked = me ? !canUse(me, 'pdf') : !free;
  const control = useUpload({
    canSend: me !== null && !locked,
    onChoose: clear,
    onAsk: upgrade,
    onDone: ({ id }) => {
      clear();
      void navigate(`${path}/${id}`);
    },
    onRefused: refuse,
  });
  const blocker = uploadBlocker(me, locked, upgrade);
  const analyze = () => {
    if (control.upload) return blocker?.action();
    if (locked) return upgrade();
    toast({ title: m.pdfs_none_title(), text: m.pdfs_none(), kind: 'danger' });
  };
  return (
    <ToolColumns
      opened={false}
      form={
        <ToolForm
          label={m.pdfs_form()}
          me={me}
          price={priceText()}
          onUpgrade={upgrade}
          onSubmit={analyze}
          run={{
            label: locked ? m.pdfs_analyze() : priceLabel(m.pdfs_analyze(), me, 'pdf'),
            blocked: control.upload !== null && !blocker && m.pdfs_reading_first(),
            hint: !me ? m.pdf_landing_hint() : free ? m.pdfs_free_reading() : '',
            phase: 'idle',
          }}
        >
          {me && locked ? (
            <LockedTool tool={featureTable.pdf.name} points={promises()} onUpgrade={upgrade} />
          ) : null}
          <DropZone control={control} blocker={blocker} onLocked={me && locked ? upgrade : null} />
          <RefusalNotice refusing={refusing} />
        </ToolForm>
      }
      result={
        !me ? (
          landingSample
        ) : (
          <ToolResult
            label={m.pdfs_what()}
            title={featureTable.pdf.name}
            lead={m.pdfs_lead()}
            refusing={{ refusal: null, purchase: upgrade }}
            notices={
              missing ? (
                <Notice kind="warning" live>
                  {m.pdfs_missing({ link: (text) => <Link to={path}>{text}</Link> })}
                </Notice>
              ) : null
            }
          >
            {sample ? <SampleFindings sample={sample} /> : null}
          </ToolResult>
        )
      }
    />
  );
}

export function PdfPage({ data }: { data: PdfPageData }) {
  const { opened: document, list } = data;
  const [me, setCredits] = useCurrentUser(data.me);
  const navigate = useNavigate();
  const refusal = useRefusal(me, {
    feature: 'pdf',
    price: featureTable.pdf.price,
    silent: true,
    fallback: m.pdfs_fallback(),
  });
  const { refuse, clear } = refusal;
  const shownInDialog = refusal.refusal && dialogCodes.includes(refusal.refusal.code);
  const refusing = shownInDialog ? { ...refusal, refusal: null } : refusal;
  const { heading, deletedId } = useFileList(data);
  const userId = me?.id ?? null;
  // A question from the address is kept for the next document that is opened.
  useEffect(() => {
    const text = takeTextFromUrl();
    if (text) prefillText('pdf-question', userId, text);
  }, [userId]);
  const shownId = document?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal belongs to one document
  useEffect(clear, [shownId, clear]);
  const remove = useDeletion((id) => {
    deletedId.current = id;
    if (shownId === id) void navigate(path);
  }, refuse);
  return (
    <ToolPage
      feature="pdf"
      landing={me ? null : landing}
      newLabel={document ? m.pdfs_new() : null}
      earlier={
        me ? <FileList documents={list} heading={heading} onDelete={(row) => void remove(row)} /> : null
      }
    >
      {document ? (
        <DocumentWorkspace
          key={document.id}
          document={document}
          me={me}
          price={priceText()}
          refusing={refusing}
          setCredits={setCredits}
          onDelete={() => void remove(document)}
        />
      ) : (
        <Start data={data} me={me} refusing={refusing} />
      )}
      {document ? null : refusing.dialog}
    </ToolPage>
  );
}
