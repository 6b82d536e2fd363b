import type { ReactNode } from 'react';

interface TitledSectionProps {
  /** The heading's id is `ID-title`. */
  id: string;
  title: string;
  className?: string;
  children: ReactNode;
}

export function TitledSection({ id, title, className = '', children }: TitledSectionProps) {
  return (
    <section
      className={`pt-24 max-md:pt-16 md:grid md:grid-cols-[16rem_minmax(0,1fr)] md:gap-6 md:items-start ${className}`.trim()}
      id={id}
      aria-labelledby={`${id}-title`}
    >
      <h2 className="h2 mb-6" id={`${id}-title`}>
        {title}
      </h2>
      {children}
    </section>
  );
}
