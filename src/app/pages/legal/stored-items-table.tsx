import { storedItems } from './stored-items.ts';

/** What a category stores in the browser; says so where that is nothing. */
export function StoredItems({ category }: { category: string }) {
  const items = storedItems.filter((item) => item.category === category);
  if (items.length === 0) return <p>At present nothing is stored in this category.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="md-table legal-items" tabIndex={0} aria-label={`Stored items: ${category}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Purpose</th>
            <th scope="col">Lifetime</th>
            <th scope="col">Kind</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ name, kind, purpose, lifetime }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{purpose}</td>
              <td data-label="Lifetime">{lifetime}</td>
              <td data-label="Kind">{kind}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
