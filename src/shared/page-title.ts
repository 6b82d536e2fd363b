import { site } from '../../content/site.ts';

/** The title of a page with the site's name, as tabs and histories show it. */
export const pageTitle = (title: string): string => `${title} · ${site.name}`;
