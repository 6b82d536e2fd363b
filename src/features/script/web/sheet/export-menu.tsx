import { Download } from 'lucide-react';
import { useId, useRef } from 'react';
import { type ScriptFormat, scriptFormats } from '../../contract.ts';

const gap = 4;

/** Puts the list under its button, within the screen. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + gap + height <= innerHeight - gap;
  menu.style.top = `${below ? at.bottom + gap : Math.max(gap, at.top - gap - height)}px`;
  menu.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - gap - width))}px`;
}

/** The formats that a script can be taken away in. */
export function ExportMenu({ onExport }: { onExport: (format: ScriptFormat) => void }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button ref={button} type="button" className="btn btn-ghost" popoverTarget={id}>
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
              <button
                type="button"
                className="menu-item"
                onClick={() => {
                  menu.current?.hidePopover();
                  onExport(value);
                }}
              >
                {label} <span className="muted ms-auto">.{value}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
