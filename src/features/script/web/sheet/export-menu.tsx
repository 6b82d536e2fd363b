import { Download } from 'lucide-react';
import { useId, useRef } from 'react';
import { scriptFormats } from '../../contract.ts';

const gap = 4;

/** Puts the list under its button, within the screen. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + gap + height <= innerHeight - gap;
  menu.style.top = `${below ? at.bottom + gap : Math.max(gap, at.top - gap - height)}px`;
  menu.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - gap - width))}px`;
}

/** The formats that a version can be taken away in. */
export function ExportMenu({ workId, versionId }: { workId: string; versionId: string }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button ref={button} type="button" className="btn btn-secondary" popoverTarget={id}>
        <Download size={16} strokeWidth={1.75} aria-hidden="true" />
        Export
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu sp-menu"
        onToggle={(event) => {
          if (event.newState === 'open' && menu.current && button.current)
            place(menu.current, button.current);
        }}
      >
        <ul aria-label="Export as">
          {scriptFormats.map(({ value, label }) => (
            <li key={value}>
              <a
                className="menu-item"
                href={`/api/scripts/${workId}/export?format=${value}&version=${versionId}`}
                download=""
                onClick={() => menu.current?.hidePopover()}
              >
                {label} <span className="muted ms-auto">.{value}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
