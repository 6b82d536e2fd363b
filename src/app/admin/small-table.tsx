import type { ReactNode } from 'react';

interface SmallTableProps {
  title: string;
  columns: readonly string[];
  rows: { key: string; cells: ReactNode[] }[];
  emptyText: string;
  /** Index of the first column with numbers, which are aligned to the end. */
  figuresFrom?: number;
}

/** A short table without paging. */
export function SmallTable({
  title,
  columns,
  rows,
  emptyText,
  figuresFrom = Number.POSITIVE_INFINITY,
}: SmallTableProps) {
  const cellClass = (at: number) =>
    at >= figuresFrom ? 'figure normal-nums' : 'min-w-20 max-w-64 wrap-break-word md:max-w-96';
  return (
    <section className="grid gap-2" aria-label={title}>
      <h2 className="h3">{title}</h2>
      {rows.length === 0 ? (
        <p className="muted text-sm">{emptyText}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="scroll-x" aria-label={`Rows of ${title}`} tabIndex={0}>
          <table className="figures">
            <thead>
              <tr>
                {columns.map((column, at) => (
                  <th key={column} scope="col" className={cellClass(at)}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, cells }) => (
                <tr key={key}>
                  {cells.map((cell, at) => (
                    <td key={columns[at]} className={cellClass(at)}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
