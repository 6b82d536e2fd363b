import { Trash2 } from 'lucide-react';
import type { Ref } from 'react';
import { Link } from 'react-router';
import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { DocumentRow } from '../../contract.ts';

const day = { dateStyle: 'medium' } as const;

interface FileListProps {
  documents: DocumentRow[];
  /** Receives the focus after a file is deleted. */
  heading: Ref<HTMLHeadingElement>;
  onDelete: (document: DocumentRow) => void;
}

const state = ({ running, analysed }: DocumentRow) =>
  running ? ` · ${m.pdfs_list_running()}` : analysed ? ` · ${m.pdfs_list_analyzed()}` : '';

export function FileList({ documents, heading, onDelete }: FileListProps) {
  return (
    <section className="max-w-3xl" aria-labelledby="pdf-files">
      <h2 ref={heading} className="h3" id="pdf-files" tabIndex={-1}>
        {m.pdfs_list()}
      </h2>
      {documents.length === 0 ? <p className="muted text-sm">{m.pdfs_list_empty()}</p> : null}
      <ul className="mt-2 divide-y divide-line">
        {documents.map((document) => (
          <li key={document.id} className="flex items-center gap-2">
            <Link
              className="group grid min-h-(--hit) min-w-0 flex-1 gap-0.5 py-3"
              to={`/tools/pdf/${document.id}`}
            >
              <span className="font-semibold wrap-anywhere group-hover:underline">{document.name}</span>
              <span className="text-xs text-fg-muted">
                {m.pdfs_pages_count({ count: document.pages })} · {formatBytes(document.bytes)} ·{' '}
                <LocalTime iso={document.createdAt} format={day} />
                {state(document)}
              </span>
            </Link>
            <IconButton
              label={m.common_delete_named({ title: document.name })}
              onClick={() => onDelete(document)}
              Icon={Trash2}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
