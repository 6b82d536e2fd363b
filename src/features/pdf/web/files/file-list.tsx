import { Trash2 } from 'lucide-react';
import type { Ref } from 'react';
import { Link } from 'react-router';
import type { DocumentRow } from '../../contract.ts';
import { sizeInWords } from './size.ts';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

interface FileListProps {
  documents: DocumentRow[];
  /** Takes the focus that a deleted file leaves behind. */
  heading: Ref<HTMLHeadingElement>;
  onDelete: (document: DocumentRow) => void;
}

const state = ({ running, analysed }: DocumentRow) =>
  running ? ' · analysing' : analysed ? ' · analysed' : '';

/** The person's files, newest first. */
export function FileList({ documents, heading, onDelete }: FileListProps) {
  return (
    <section aria-labelledby="pdf-files">
      <h2 ref={heading} className="h3" id="pdf-files" tabIndex={-1}>
        Your files
      </h2>
      {documents.length === 0 ? (
        <p className="muted text-sm">Files that you upload are listed here.</p>
      ) : null}
      <ul className="pdf-files">
        {documents.map((document) => (
          <li key={document.id}>
            <Link className="pdf-file-link" to={`/tools/pdf/${document.id}`}>
              <span className="pdf-name">{document.name}</span>
              <span className="muted text-xs">
                {document.pages === 1 ? '1 page' : `${document.pages} pages`} · {sizeInWords(document.bytes)}{' '}
                · <time dateTime={document.createdAt}>{day.format(new Date(document.createdAt))}</time>
                {state(document)}
              </span>
            </Link>
            <button
              type="button"
              className="btn btn-ghost btn-icon"
              aria-label={`Delete ${document.name}`}
              onClick={() => onDelete(document)}
            >
              <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
