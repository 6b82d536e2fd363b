import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { type Paper, paperNames, papers } from '#shared/paper.ts';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { useOwnPaper } from './use-own-paper.ts';

interface ExportMenuProps<F extends string> {
  /** `format` is also the file extension. */
  formats: readonly { format: F; label: () => string }[];
  /** `file` has the format and, for a PDF, the paper. */
  onExport: (file: { format: F; paper?: Paper }) => void;
  /** Further menu items. */
  children?: ReactNode;
}

export function ExportMenu<F extends string>({ formats, onExport, children }: ExportMenuProps<F>) {
  const ownPaper = useOwnPaper();
  const button = {
    variant: 'ghost' as const,
    children: (
      <>
        <Download size={16} strokeWidth={1.75} aria-hidden="true" />
        {m.common_export()}
      </>
    ),
  };
  const files = formats.flatMap(({ format, label }) =>
    format === 'pdf'
      ? papers
          .toSorted((a, b) => Number(b === ownPaper) - Number(a === ownPaper))
          .map((paper) => ({
            file: { format, paper },
            label: m.tools_export_paper({ format: label(), paper: paperNames[paper]() }),
          }))
      : [{ file: { format }, label: label() }],
  );
  return (
    <Menu button={button}>
      <ul aria-label={m.tools_export_as()}>
        {files.map(({ file, label }) => (
          <li key={label}>
            <MenuItem onClick={() => onExport(file)}>
              {label} <span className="muted ms-auto">.{file.format}</span>
            </MenuItem>
          </li>
        ))}
      </ul>
      {children}
    </Menu>
  );
}
