import { Copy, History as HistoryIcon, Redo2, Trash2, Undo2 } from 'lucide-react';
import { toast } from '#client/page-events.ts';
import { ShareItem } from '#features/shares/web/share-item.tsx';
import { saveStates } from '#features/texts/web/use-autosave.ts';
import { ExportMenu } from '#features/tools/web/export-menu.tsx';
import { HandOverItems } from '#features/tools/web/hand-over-items.tsx';
import { m } from '#messages';
import type { Paper } from '#shared/paper.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { MenuItem } from '#ui/menu.tsx';
import type { TextEditor } from '../use-text-editor.ts';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

const formats = [
  { format: 'txt', label: m.writer_format_txt },
  { format: 'md', label: m.writer_format_md },
  { format: 'docx', label: m.writer_format_docx },
  { format: 'pdf', label: m.writer_format_pdf },
];

/** Copies the formatted text, and Markdown for programs that accept only plain text. */
async function copyRich(markdown: string): Promise<void> {
  const { markdownToHtml } = await import('#ui/markdown/markdown-to-html.ts');
  const blob = (type: string, text: string) => new Blob([text], { type });
  await navigator.clipboard.write([
    new ClipboardItem({
      'text/html': blob('text/html', markdownToHtml(markdown)),
      'text/plain': blob('text/plain', markdown),
    }),
  ]);
}

interface TextToolbarProps {
  workId: string;
  control: TextEditor;
  editable: boolean;
  versions: number;
  versionsOpen: boolean;
  onExport: (file: { format: string; paper?: Paper }) => void;
  onVersions: () => void;
  onDelete: () => void;
}

export function TextToolbar({
  workId,
  control,
  editable,
  versions,
  versionsOpen,
  onExport,
  onVersions,
  onDelete,
}: TextToolbarProps) {
  const { text, saving, canUndo, canRedo, undo, redo } = control;
  const copyMarkdown = () =>
    navigator.clipboard?.writeText(text).then(
      () => toast({ text: m.copied(), kind: 'success' }),
      () => undefined,
    );
  const copyText = () =>
    copyRich(text)
      .then(() => toast({ text: m.writer_copied_rich(), kind: 'success' }))
      // A browser that cannot write rich text copies the Markdown.
      .catch(copyMarkdown);
  return (
    <div
      className="-ms-2.5 flex flex-wrap items-center gap-0.5 [&_.btn]:font-normal"
      role="toolbar"
      aria-label={m.writer_toolbar()}
    >
      <Button variant="ghost" onClick={() => void copyText()}>
        <Copy {...icon} /> {m.common_copy()}
      </Button>
      <ExportMenu formats={formats} onExport={onExport}>
        <div className="menu-line" />
        <MenuItem onClick={() => void copyMarkdown()}>{m.writer_copy_markdown()}</MenuItem>
        {editable ? <ShareItem shared={{ kind: 'text', workId }} before={control.save} /> : null}
        <HandOverItems to={['chat', 'script']} text={() => text} />
      </ExportMenu>
      <Button variant="ghost" aria-expanded={versionsOpen} onClick={onVersions}>
        <HistoryIcon {...icon} />
        <span className="max-sm:sr-only">{m.texts_versions_count({ count: versions })}</span>
        <span className="sm:hidden" aria-hidden="true">
          {versions}
        </span>
      </Button>
      <IconButton
        label={m.common_undo()}
        title={m.common_undo()}
        disabled={!editable || !canUndo}
        onClick={undo}
        Icon={Undo2}
      />
      <IconButton
        label={m.common_redo()}
        title={m.common_redo()}
        disabled={!editable || !canRedo}
        onClick={redo}
        Icon={Redo2}
      />
      <IconButton label={m.writer_delete()} title={m.common_delete()} onClick={onDelete} Icon={Trash2} />
      <span className="fine doc-saving ps-2" role="status">
        {saveStates[saving]()}
      </span>
    </div>
  );
}
