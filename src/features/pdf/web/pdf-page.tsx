import { useEffect, useRef } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { openSignIn, toast } from '../../../client/page-events.ts';
import { json, request } from '../../../client/request.ts';
import type { Me } from '../../accounts/contract.ts';
import { featureTable, inCredits } from '../../credits/contract.ts';
import { CreditsCard } from '../../credits/web/credits-card.tsx';
import { Locked } from '../../credits/web/locked.tsx';
import { mayUse, priced } from '../../credits/web/price.ts';
import { usePerson } from '../../credits/web/use-person.ts';
import { useRefusal } from '../../credits/web/use-refusal.tsx';
import { type DocumentRow, type DocumentSample, type DocumentView, documentTexts } from '../contract.ts';
import { DocumentDesk } from './document-desk.tsx';
import { DropBox } from './files/drop-box.tsx';
import { FileList } from './files/file-list.tsx';
import { useUpload } from './files/use-upload.ts';
import { RefusalNotice } from './refusal-notice.tsx';
import { afterNews } from './running/running.ts';
import { Sample } from './sample.tsx';
import './pdf.css';

export interface PdfPageData {
  me: Me | null;
  documents: DocumentRow[];
  document: DocumentView | null;
  /** The address names a document that is not the person's. */
  missing: boolean;
  /** For those who have no document of their own yet. */
  sample: DocumentSample | null;
}

const { free, price } = featureTable.pdf;

/** What the tool costs those who may use it with credits. */
const PRICE = free ? `1 PDF = ${inCredits(price)}` : null;

const promises = [
  'Summary, questions and keywords of PDFs of up to 300 pages',
  'Every statement with the words that it rests on, and their page',
  'Questions of your own, and all of it as Markdown and PDF',
];

const points = [
  [
    'Each statement with its words',
    'Every statement and answer quotes the document. A quote that is not in it is not shown.',
  ],
  ['The page beside the answer', 'A press on a page number opens the page and marks the passage.'],
  [
    'Says what it does not know',
    'Pages that could not be read are named, and a question without an answer gets none.',
  ],
] as const;

/** Deletes a file, with the way back in a toast. */
function useDeletion(onGone: (id: string) => void, refuse: (error: unknown) => void) {
  const { revalidate } = useRevalidator();
  return async ({ id, name }: Pick<DocumentRow, 'id' | 'name'>) => {
    try {
      await request<void>(`/api/documents/${id}`, json('DELETE', {}));
    } catch (error) {
      return refuse(error);
    }
    onGone(id);
    void revalidate();
    const restore = () =>
      request<DocumentRow>(`/api/documents/${id}/restore`, json('POST', {}))
        .then(() => revalidate())
        .catch(refuse);
    toast({
      text: `“${name}” was deleted.`,
      action: { label: 'Undo', run: () => void restore() },
    });
  };
}

/** Brings the list up to date when an analysis has ended that was left, and takes up the focus of a deleted file. */
function useFileList({ documents, document }: PdfPageData) {
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);
  const gone = useRef<string | null>(null);
  useEffect(() => afterNews(() => void revalidate()), [revalidate]);
  useEffect(() => {
    if (gone.current === null || document || documents.some(({ id }) => id === gone.current)) return;
    gone.current = null;
    if (window.document.activeElement === window.document.body) heading.current?.focus();
  }, [document, documents]);
  return { heading, gone };
}

/** What a file that somebody without the tool has chosen waits for. */
function waitsFor(me: Me | null, locked: boolean, upgrade: () => void) {
  if (!me) return { text: 'Waits until you have signed in.', label: 'Sign In', act: () => openSignIn() };
  return locked ? { text: 'Waits: the PDF Analyzer is part of Pro.', label: 'Go Pro', act: upgrade } : null;
}

/** The PDF Analyzer: the start with its drop box, or one document. */
export function PdfPage({ data }: { data: PdfPageData }) {
  const { document, documents, missing, sample } = data;
  const [me, setCredits] = usePerson(data.me);
  const navigate = useNavigate();
  const refusing = useRefusal(me, {
    feature: 'pdf',
    price,
    quiet: true,
    fallback: 'The document could not be worked with. Please try again.',
  });
  const { refuse, clear, upgrade, dialog } = refusing;
  const { heading, gone } = useFileList(data);
  const locked = me ? !mayUse(me, 'pdf') : !free;
  const shownId = document?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what one document was refused is no other's
  useEffect(clear, [shownId, clear]);
  const control = useUpload({
    maySend: me !== null && !locked,
    onChoose: clear,
    onAsk: upgrade,
    onDone: ({ id }) => {
      clear();
      void navigate(`/tools/pdf/${id}`);
    },
    onRefused: refuse,
  });
  const analyse = () => {
    if (locked) return upgrade();
    toast({ title: documentTexts.none.title, text: documentTexts.none.text, kind: 'danger' });
  };
  const remove = useDeletion((id) => {
    gone.current = id;
    if (document?.id === id) void navigate('/tools/pdf');
  }, refuse);
  if (document)
    return (
      <main id="main" className="wrap pdf-page pdf-page-document">
        <DocumentDesk
          key={document.id}
          document={document}
          me={me}
          refusing={refusing}
          onCredits={setCredits}
          onDelete={() => void remove(document)}
        />
        {dialog}
      </main>
    );
  return (
    <main id="main" className="wrap pdf-page">
      <header className="pdf-head">
        <h1 className="h1">PDF Analyzer</h1>
        <p className="lead">What a document says, and the words on which each statement rests.</p>
      </header>
      {missing ? (
        <p className="notice notice-warning" role="status">
          This document is not there any more. <Link to="/tools/pdf">Your files</Link> are below.
        </p>
      ) : null}
      <div className="pdf-start">
        <div className="pdf-start-main">
          <CreditsCard me={me} price={PRICE} onUpgrade={upgrade} />
          {locked ? <Locked tool="PDF Analyzer" points={promises} onUpgrade={upgrade} /> : null}
          <DropBox
            control={control}
            waits={waitsFor(me, locked, upgrade)}
            onLocked={me && locked ? upgrade : null}
          >
            <button type="button" className="btn btn-secondary" onClick={analyse}>
              {locked ? 'Analyze' : priced('Analyze', me, 'pdf')}
            </button>
          </DropBox>
          <RefusalNotice refusal={refusing.refusal} />
          {free ? (
            <p className="fine">
              Reading a file costs nothing. An analysis is charged once, when it is whole.
            </p>
          ) : null}
          {me ? (
            <FileList documents={documents} heading={heading} onDelete={(row) => void remove(row)} />
          ) : null}
        </div>
        <ol className="pdf-points">
          {points.map(([title, text]) => (
            <li key={title}>
              <h2 className="h3">{title}</h2>
              <p className="muted">{text}</p>
            </li>
          ))}
        </ol>
      </div>
      {sample ? <Sample sample={sample} /> : null}
      {dialog}
    </main>
  );
}
