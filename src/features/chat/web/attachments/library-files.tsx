import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { request } from '#client/api-request.ts';
import { delay } from '#client/delay.ts';
import { errorText } from '#client/use-mutation.ts';
import { type LibraryItem, type LibraryPage, libraryLimits } from '#features/library/contract.ts';
import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { extensionLabel } from '../../attachments/accepted-files.ts';
import { type Attachment, attachmentLimits } from '../../contract.ts';

/** Milliseconds after the last key before the server is queried. */
const typingDelay = 150;
const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;

const fetchFiles = (q: string, after: string | null, signal?: AbortSignal) =>
  request<LibraryPage>(
    `/api/library?${new URLSearchParams({ kind: 'file', q, ...(after ? { after } : {}) })}`,
    signal ? { signal } : {},
  );

const fetchAttachments = (ids: string[]) =>
  request<{ files: Attachment[] }>(`/api/files?ids=${ids.join(',')}`);

interface Found {
  query: string;
  files: LibraryItem[];
  next: string | null;
}

function useFiles(query: string) {
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<string | null>(null);
  const fail = (failure: unknown) => setError(errorText(failure, m.common_connection_lost()));
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    (async () => {
      if (query !== '') await delay(typingDelay, signal);
      if (signal.aborted) return;
      const { items, next } = await fetchFiles(query, null, signal);
      setFound({ query, files: items, next });
      setError(null);
    })().catch((failure: unknown) => {
      if (!signal.aborted) setError(errorText(failure, m.common_connection_lost()));
    });
    return () => controller.abort();
  }, [query]);
  const more = () =>
    found &&
    fetchFiles(found.query, found.next).then(
      ({ items, next }) =>
        setFound((now) => (now === found ? { ...found, files: [...found.files, ...items], next } : now)),
      fail,
    );
  return { found, error, more, fail };
}

const fileName = ({ title }: LibraryItem) => title.map(({ text }) => text).join('');

interface FileRowProps {
  file: LibraryItem;
  checked: boolean;
  disabled: boolean;
  onToggle: (on: boolean) => void;
}

function FileRow({ file, checked, disabled, onToggle }: FileRowProps) {
  const name = fileName(file);
  return (
    <li>
      <label className="flex min-h-(--hit) cursor-pointer items-center gap-3 rounded-sm px-2 py-1.5 hover:bg-sunken">
        <input
          className="size-[18px] shrink-0 accent-(--primary)"
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onToggle(event.currentTarget.checked)}
        />
        <span className="file-thumb" aria-hidden="true">
          {extensionLabel(name)}
        </span>
        <span className="grid min-w-0 flex-1">
          <span className="truncate" dir="auto">
            {name}
          </span>
          <span className="flex gap-3 text-xs text-fg-muted">
            {file.file ? <span>{formatBytes(file.file.bytes)}</span> : null}
            <LocalTime iso={file.at} format={day} title={null} />
          </span>
        </span>
      </label>
    </li>
  );
}

interface LibraryFilesProps {
  remaining: number;
  onAttach: (files: Attachment[]) => void;
  onClose: () => void;
}

/** Lists files that were sent before, newest first. */
export default function LibraryFiles({ remaining, onAttach, onClose }: LibraryFilesProps) {
  const [text, setText] = useState('');
  const query = text.trim();
  const { found, error, more, fail } = useFiles(query);
  const [chosen, setChosen] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const full = chosen.length >= remaining;
  const toggle = (id: string, on: boolean) =>
    setChosen((now) => (on ? [...now, id] : now.filter((each) => each !== id)));
  const attach = async (close: () => void) => {
    setBusy(true);
    try {
      const { files } = await fetchAttachments(chosen);
      close();
      onAttach(files);
    } catch (failure) {
      fail(failure);
      setBusy(false);
    }
  };
  const isEmpty = found?.files.length === 0;
  return (
    <Dialog title={m.chat_attach_library()} onClose={onClose}>
      {(close) => (
        <div className="dialog-body grid gap-4">
          <div className="relative">
            <Search
              className="pointer-events-none absolute inset-y-0 start-3 my-auto text-fg-muted"
              size={16}
              strokeWidth={1.75}
              aria-hidden="true"
            />
            <input
              className="input px-10"
              type="search"
              dir="auto"
              aria-label={m.chat_attach_search()}
              placeholder={m.chat_attach_search()}
              autoComplete="off"
              maxLength={libraryLimits.searchLength}
              value={text}
              onChange={({ currentTarget: { value } }) => setText(value)}
            />
          </div>
          {error === null ? null : <Notice kind="danger">{error}</Notice>}
          <p className={isEmpty ? 'muted text-sm wrap-anywhere' : 'visually-hidden'} role="status">
            {isEmpty && query === '' ? m.chat_attach_none() : null}
            {isEmpty && query !== '' ? m.chat_search_none({ query }) : null}
            {found && !isEmpty ? m.chat_search_results({ count: found.files.length }) : null}
          </p>
          {found && !isEmpty ? (
            <div className="-mx-2 max-h-[45dvh] overflow-y-auto" aria-busy={found.query !== query}>
              <ul aria-label={m.chat_files_label()}>
                {found.files.map((file) => (
                  <FileRow
                    key={file.id}
                    file={file}
                    checked={chosen.includes(file.id)}
                    disabled={full && !chosen.includes(file.id)}
                    onToggle={(on) => toggle(file.id, on)}
                  />
                ))}
              </ul>
              {found.next === null ? null : (
                <Button variant="ghost" onClick={() => void more()}>
                  {m.common_show_more()}
                </Button>
              )}
            </div>
          ) : null}
          {full ? (
            <p className="muted text-sm" role="status">
              {m.chat_attach_full({ most: attachmentLimits.perMessage })}
            </p>
          ) : null}
          <Button
            variant="primary"
            className="justify-self-start"
            disabled={chosen.length === 0}
            aria-busy={busy}
            onClick={() => void attach(close)}
          >
            {m.chat_attach_chosen({ count: chosen.length })}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
