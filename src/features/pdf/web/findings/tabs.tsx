import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export interface Tab {
  id: string;
  label: string;
  panel: ReactNode;
  className?: string;
}

interface TabsProps {
  label: string;
  tabs: Tab[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** Tabs as the ARIA practices have them: arrow keys, Home and End choose; all panels stay, so that none loses its place. */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]') ?? [])].filter(
      (button) => button.offsetParent !== null,
    );
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const next = buttons[(to + buttons.length) % buttons.length];
    next?.focus();
    if (next?.dataset.tab) onChoose(next.dataset.tab);
  };
  return (
    <div className="pdf-tabs">
      <div ref={list} role="tablist" aria-label={label} className="pdf-tablist" onKeyDown={onKeyDown}>
        {tabs.map(({ id, label: name, className }) => (
          <button
            key={id}
            type="button"
            role="tab"
            data-tab={id}
            id={`${base}-${id}`}
            className={className}
            aria-selected={id === chosen}
            aria-controls={`${base}-${id}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ id, panel, className }) => (
        <div
          key={id}
          role="tabpanel"
          id={`${base}-${id}-panel`}
          className={`pdf-panel ${className ?? ''}`.trim()}
          aria-labelledby={`${base}-${id}`}
          hidden={id !== chosen}
          tabIndex={-1}
        >
          {panel}
        </div>
      ))}
    </div>
  );
}
