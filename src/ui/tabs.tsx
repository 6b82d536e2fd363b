import { type ReactNode, useId } from 'react';

export interface Tab {
  id: string;
  label: string;
  panel: ReactNode;
  className?: string;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  chosen: string;
  onChoose: (id: string) => void;
}

/**
 * https://www.w3.org/WAI/ARIA/apg/patterns/tabs/; the enhancement module has the keys. All panels stay, so that none
 * loses its place.
 */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const base = useId();
  return (
    <div>
      <div role="tablist" aria-label={label} className="tab-list">
        {tabs.map(({ id, label: name, className }) => (
          <button
            key={id}
            type="button"
            role="tab"
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
          className={`py-4 ${className ?? ''}`.trim()}
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
