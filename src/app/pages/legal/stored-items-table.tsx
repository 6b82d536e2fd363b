import { m } from '#messages';
import { storedItems } from './stored-items.ts';

export function StoredItems({ category }: { category: string }) {
  const items = storedItems.filter((item) => item.category === category);
  if (items.length === 0) return <p>{m.stored_nothing()}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="md-table legal-items" tabIndex={0} aria-label={m.stored_items({ category })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{m.common_name()}</th>
            <th scope="col">{m.stored_purpose()}</th>
            <th scope="col">{m.stored_lifetime()}</th>
            <th scope="col">{m.stored_kind()}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ name, kind, purpose, lifetime }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{purpose}</td>
              <td data-label={m.stored_lifetime()}>{lifetime}</td>
              <td data-label={m.stored_kind()}>{kind}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
