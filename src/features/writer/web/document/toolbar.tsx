import { Copy, Download, History as HistoryIcon, Redo2, Trash2, Undo2 } from 'lucide-react';
import { announce } from '../../../../client/announce.ts';
import { toast } from '../../../../client/page-events.ts';
import { useCopied } from '../../../../client/use-copied.ts';
import type { Saving, TextControl } from '../use-text.ts';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

const formats = [
  { format: 'txt', name: 'Plain text (.txt)' },
  { format: 'md', name: 'Markdown (.md)' },
  { format: 'docx', name: 'Word (.docx)' },
  { format: 'pdf', name: 'PDF (.pdf)' },
];

const states: Record<Saving, string> = {
  saved: 'Saved',
  waiting: 'Not saved yet',
  saving: 'Saving…',
  failed: 'Not saved',
};

/** Puts a text on the clipboard with its structure, and as Markdown for programs that take no other. */
async function copyRich(markdown: string): Promise<void> {
  const { richHtml } = await import('../../../../ui/markdown/rich-html.ts');
  const blob = (type: string, text: string) => new Blob([text], { type });
  await navigator.clipboard.write([
    new ClipboardItem({
      'text/html': blob('text/html', richHtml(markdown)),
      'text/plain': blob('text/plain', markdown),
    }),
  ]);
}

interface ToolbarProps {
  control: TextControl;
  editable: boolean;
  versions: number;
  /** Whether the versions are shown. */
  listed: boolean;
  onExport: (format: string) => void;
  onVersions: () => void;
  onDelete: () => void;
}

/** What can be done with the whole text. */
export function Toolbar({
  control,
  editable,
  versions,
  listed,
  onExport,
  onVersions,
  onDelete,
}: ToolbarProps) {
  const { copied, copy } = useCopied();
  const { text, saving, canUndo, canRedo, undo, redo } = control;
  const rich = () =>
    copyRich(text)
      .then(() => {
        announce('Copied');
        toast({ text: 'Copied with its formatting.', kind: 'success' });
      })
      // A browser that takes no rich text gets the Markdown.
      .catch(() => copy(text));
  return (
    <div className="doc-bar" role="toolbar" aria-label="Text">
      <button type="button" className="btn btn-ghost" onClick={() => void rich()}>
        <Copy {...icon} /> Copy
      </button>
      <button type="button" className="btn btn-ghost" onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy Markdown'}
      </button>
      <button type="button" className="btn btn-ghost doc-export-button" popoverTarget="doc-export">
        <Download {...icon} /> Export
      </button>
      <div id="doc-export" className="menu doc-export" popover="auto">
        {formats.map(({ format, name }) => (
          <button
            key={format}
            type="button"
            className="menu-item"
            onClick={(event) => {
              event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
              onExport(format);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <button type="button" className="btn btn-ghost" aria-expanded={listed} onClick={onVersions}>
        <HistoryIcon {...icon} /> Versions ({versions})
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-icon"
        aria-label="Undo"
        title="Undo"
        disabled={!editable || !canUndo}
        onClick={undo}
      >
        <Undo2 {...icon} />
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-icon"
        aria-label="Redo"
        title="Redo"
        disabled={!editable || !canRedo}
        onClick={redo}
      >
        <Redo2 {...icon} />
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-icon"
        aria-label="Delete text"
        title="Delete"
        onClick={onDelete}
      >
        <Trash2 {...icon} />
      </button>
      <span className="fine doc-saving" role="status">
        {states[saving]}
      </span>
    </div>
  );
}
