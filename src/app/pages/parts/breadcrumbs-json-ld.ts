import { setting } from '#shared/settings.ts';

export function breadcrumbsJsonLd(name: string, path: string, publicUrl: string) {
  const crumb = (position: number, label: string, item: string) => ({
    '@type': 'ListItem',
    position,
    name: label,
    item,
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: [crumb(1, setting('brand.name'), `${publicUrl}/`), crumb(2, name, publicUrl + path)],
  };
}
