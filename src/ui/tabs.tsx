import { type ReactNode, useId } from 'react';

interface NamedTab {
  id: string;
  label: ReactNode;
  className?: string;
}

export interface Tab extends NamedTab {
  panel: ReactNode;
}

interface TabListProps {
  /** Prefix of the ids of tabs and panels. */
  base: string;
  label: string;
  tabs: readonly NamedTab[];
  chosen: string;
  onChoose: (id: string) => void;
  className?: string;
}

/** https://www.w3.org/WAI/ARIA/apg/patterns/tabs/; the enhancement module handles the keys. */
export function TabList({ base, label, tabs, chosen, onChoose, className = '' }: TabListProps) {
  return (
    <div role="tablist" aria-label={label} className={`tab-list ${className}`.trim()}>
      {tabs.map(({ id, label: name, className: tabClass }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${base}-${id}`}
          className={tabClass}
          aria-selected={id === chosen}
          aria-controls={`${base}-${id}-panel`}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface TabsProps extends Omit<TabListProps, 'base' | 'tabs' | 'className'> {
  tabs: readonly Tab[];
}

/** Hidden panels stay mounted, so that they keep their state. */
export function Tabs({ tabs, ...list }: TabsProps) {
  const base = useId();
  return (
    <div>
      <TabList base={base} tabs={tabs} {...list} />
      {tabs.map(({ id, panel, className }) => (
        <div
          key={id}
          role="tabpanel"
          id={`${base}-${id}-panel`}
          className={`py-4 ${className ?? ''}`.trim()}
          aria-labelledby={`${base}-${id}`}
          hidden={id !== list.chosen}
          tabIndex={-1}
        >
          {panel}
        </div>
      ))}
    </div>
  );
}
