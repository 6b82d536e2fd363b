import type { ReactNode } from 'react';

export const PageHead = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)] gap-16 items-end pt-24 pb-10 max-md:grid-cols-1 max-md:gap-5 max-md:pt-20 max-md:pb-8">
    <h1 className="h1 focus-visible:[outline:none]">{title}</h1>
    {children}
  </div>
);
