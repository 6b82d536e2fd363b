import { locale, m } from '#messages';
import type { MapEntry } from '../site-map.server.ts';

interface GroupProps {
  id: string;
  name: string;
  entries: MapEntry[];
}

export function SitemapGroup({ id, name, entries }: GroupProps) {
  const day = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <section
      className="sitemap-group py-8 border-t border-fg [.sitemap-group+&]:border-line md:grid md:grid-cols-[16rem_minmax(0,1fr)] md:gap-6 md:items-start"
      aria-labelledby={id}
    >
      <h2 className="h3 pb-2" id={id}>
        {name}
      </h2>
      <table className="w-full" aria-labelledby={id}>
        <thead>
          <tr className="print:break-inside-avoid">
            <th className="pb-2 text-xs font-semibold text-fg-muted text-start align-baseline" scope="col">
              {m.sitemap_page()}
            </th>
            <th
              className="max-md:w-14 ps-4 max-md:ps-3 pb-2 text-xs font-semibold text-fg-muted text-start align-baseline"
              scope="col"
            >
              {m.sitemap_priority()}
            </th>
            <th
              className="ps-4 max-md:ps-3 pb-2 text-xs font-semibold text-fg-muted text-start align-baseline"
              scope="col"
            >
              {m.sitemap_updated()}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ path, name, lang, updated, priority }) => (
            <tr className="print:break-inside-avoid" key={path}>
              <th className="text-start align-baseline py-2.5 border-t border-line font-normal" scope="row">
                <a
                  className="block hover:underline hover:underline-offset-[0.18em] hover:decoration-2 pointer-coarse:py-1"
                  href={path}
                >
                  <bdi lang={lang}>{name}</bdi>
                  <span className="block font-normal text-[12px]/[1.4] font-mono text-fg-muted wrap-anywhere">
                    {path}
                  </span>
                </a>
              </th>
              <td className="w-20 max-md:w-14 ps-4 max-md:ps-3 text-start align-baseline py-2.5 border-t border-line font-mono text-[13px]/5 text-fg-muted whitespace-nowrap">
                {priority.toFixed(1)}
              </td>
              <td className="w-36 max-md:w-22 ps-4 max-md:ps-3 text-start align-baseline py-2.5 border-t border-line text-sm max-md:text-xs text-fg-muted whitespace-nowrap">
                {updated ? (
                  <time dateTime={updated}>{day.format(new Date(updated))}</time>
                ) : (
                  m.sitemap_unknown()
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
