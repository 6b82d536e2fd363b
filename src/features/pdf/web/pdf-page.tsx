import { Link, useNavigate, useRevalidator } from 'react-router';
import { toast } from '../../../client/page-events.ts';
import { json, request } from '../../../client/request.ts';
import type { Me } from '../../accounts/contract.ts';
import { featureTable } from '../../credits/contract.ts';
import { CreditsCard } from '../../credits/web/credits-card.tsx';
import { mayUse, priced } from '../../credits/web/price.ts';
import { usePerson } from '../../credits/web/use-person.ts';
import { useRefusal } from '../../credits/web/use-refusal.tsx';
import { type DocumentRow, type DocumentSample, type DocumentView, documentTexts } from '../contract.ts';
import { DocumentDesk } from './document-desk.tsx';
import { DropBox } from './files/drop-box.tsx';
import { FileList } from './files/file-list.tsx';
import { useUpload } from './files/use-upload.ts';
import { LockedBox, Sample } from './locked.tsx';
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

const PRICE = `1 PDF = ${featureTable.pdf.price} credits`;

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
      lasts: 10_000,
      action: { label: 'Undo', run: () => void restore() },
    });
  };
}

/** The PDF Analyzer: the start with its drop box, or one document. */
export function PdfPage({ data }: { data: PdfPageData }) {
  const { document, documents, missing, sample } = data;
  const [me, setCredits] = usePerson(data.me);
  const navigate = useNavigate();
  const refusing = useRefusal(me, {
    feature: 'pdf',
    price: featureTable.pdf.price,
    fallback: 'The document could not be worked with. Please try again.',
  });
  const { refuse, upgrade, dialog } = refusing;
  const locked = !mayUse(me, 'pdf');
  const control = useUpload({
    maySend: me !== null && !locked,
    onAsk: upgrade,
    onDone: ({ id }) => void navigate(`/tools/pdf/${id}`),
    onRefused: refuse,
  });
  const remove = useDeletion((id) => {
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
      <CreditsCard me={me} price={`${PRICE}, part of Pro`} onUpgrade={upgrade} />
      <div className="pdf-start">
        <div className="pdf-start-main">
          {locked ? <LockedBox onUpgrade={upgrade} /> : <DropBox control={control} />}
          {control.upload || locked ? null : (
            <div className="row">
              <button
                type="button"
                className="btn btn-secondary btn-lg"
                onClick={() =>
                  toast({ title: documentTexts.none.title, text: documentTexts.none.text, kind: 'danger' })
                }
              >
                {me ? priced('Analyze', me, 'pdf') : 'Analyze'}
              </button>
              <span className="fine">
                Reading a file costs nothing. An analysis is charged once, when it is whole.
              </span>
            </div>
          )}
          {me ? <FileList documents={documents} onDelete={(row) => void remove(row)} /> : null}
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
