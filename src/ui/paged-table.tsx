import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface PagedTableProps {
  caption: string;
  columns: readonly { label: string; className?: string }[];
  className?: string;
  busy?: boolean;
  children: ReactNode;
  more: { label: string; busy: boolean; load: () => void } | null;
}

export function PagedTable({ caption, columns, className = '', busy, children, more }: PagedTableProps) {
  return (
    <>
      <table className={`figures ${className}`} aria-busy={busy}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={column.className}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {more ? (
        <Button className="justify-self-start" aria-busy={more.busy} onClick={more.load}>
          {more.label}
        </Button>
      ) : null}
    </>
  );
}
