import { Download } from 'lucide-react';
import { m } from '#messages';
import { Menu, MenuItem } from '#ui/menu.tsx';

interface ExportMenuProps<F extends string> {
  /** Also the extension of its files. */
  formats: readonly { format: F; label: () => string }[];
  onExport: (format: F) => void;
}

export function ExportMenu<F extends string>({ formats, onExport }: ExportMenuProps<F>) {
  const button = {
    look: 'ghost' as const,
    children: (
      <>
        <Download size={16} strokeWidth={1.75} aria-hidden="true" />
        {m.common_export()}
      </>
    ),
  };
  return (
    <Menu button={button}>
      <ul aria-label={m.tools_export_as()}>
        {formats.map(({ format, label }) => (
          <li key={format}>
            <MenuItem onClick={() => onExport(format)}>
              {label()} <span className="muted ms-auto">.{format}</span>
            </MenuItem>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
