// biome-ignore-all lint/a11y/noRedundantRoles: narrow screens stack the cells, and some browsers then forget the roles
import { storedItems } from './stored-items.ts';

/** What a category stores in the browser; says so where that is nothing. */
export function StoredItems({ category }: { category: string }) {
  const items = storedItems.filter((item) => item.category === category);
  if (items.length === 0) return <p>At present nothing is stored in this category.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="md-table legal-items" tabIndex={0} aria-label={`Stored items: ${category}`}>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              Name
            </th>
            <th role="columnheader" scope="col">
              Purpose
            </th>
            <th role="columnheader" scope="col">
              Lifetime
            </th>
            <th role="columnheader" scope="col">
              Kind
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map(({ name, kind, purpose, lifetime }) => (
            <tr role="row" key={name}>
              <th role="rowheader" scope="row">
                <code>{name}</code>
              </th>
              <td role="cell">{purpose}</td>
              <td role="cell" data-label="Lifetime">
                {lifetime}
              </td>
              <td role="cell" data-label="Kind">
                {kind}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
