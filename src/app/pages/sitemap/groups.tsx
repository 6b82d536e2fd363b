import type { MapEntry } from '../../site-map.server.ts';

const mediumDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

interface GroupProps {
  name: string;
  entries: MapEntry[];
}

/** A group of pages as a ruled table beside its name. */
export function SitemapGroup({ name, entries }: GroupProps) {
  const id = name.toLowerCase().replace(/[^a-z]+/g, '-');
  return (
    <section className="sitemap-group page-columns" aria-labelledby={id}>
      <h2 className="h3" id={id}>
        {name}
      </h2>
      <table aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">Page</th>
            <th scope="col">Priority</th>
            <th scope="col">Last updated</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ path, name, updated, priority }) => (
            <tr key={path}>
              <th scope="row">
                <a href={path}>
                  {name}
                  <span className="sitemap-path">{path}</span>
                </a>
              </th>
              <td>{priority.toFixed(1)}</td>
              <td>
                {updated ? (
                  <time dateTime={updated}>{mediumDate.format(new Date(updated))}</time>
                ) : (
                  'not known'
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
