import { blogOrder } from '#content/blog.ts';
import { featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';

export interface SitePage {
  path: string;
  name: () => string;
}

const sitePage = (path: string, name: () => string): SitePage => ({ path, name });

export const home = sitePage('/', m.page_home);
export const chat = sitePage('/chat', m.page_chat);
export const toolsIndex = sitePage('/tools', m.page_all_tools);
export const pricing = sitePage('/pricing', m.page_pricing);
export const dashboard = sitePage('/dashboard', m.page_dashboard);
/** Personal, so not on the site map. */
export const library = sitePage('/library', m.page_library);
export const blogIndex = sitePage('/blog', m.page_all_articles);

const toolPages: readonly SitePage[] = [
  ...Object.values(featureTable).flatMap((tool) =>
    tool.page?.startsWith('/tools/') ? [sitePage(tool.page, () => tool.name)] : [],
  ),
  toolsIndex,
];

/** Returns false for paths of tools that are switched off; true for any other path. */
export const isOffered = (path: string): boolean =>
  Object.values(featureTable).every(
    ({ page, offered }) => offered || !page || !(path === page || path.startsWith(`${page}/`)),
  );

export const tools = (): readonly SitePage[] => toolPages.filter(({ path }) => isOffered(path));

export const blog: readonly SitePage[] = [
  sitePage('/blog/what-is-gpt-5', m.page_what_is_gpt_5),
  sitePage('/blog/prompt-engineering-guide', m.page_prompt_guide),
  sitePage('/blog/50-gpt-5-prompts', m.page_50_prompts),
  blogIndex,
];

/** In the footer but not on the site map, because it is only a form. */
export const newsletter = sitePage('/newsletter', m.page_newsletter);

export const company: readonly SitePage[] = [
  sitePage('/about', m.page_about),
  sitePage('/contact', m.page_contact),
  sitePage('/use-cases', m.page_use_cases),
  sitePage('/sitemap', m.page_sitemap),
];

export const legal: readonly SitePage[] = [
  sitePage('/privacy', m.page_privacy),
  sitePage('/terms', m.page_terms),
  sitePage('/cookies', m.page_cookies),
];

const articles = blogOrder
  .map((slug) => sitePage(`/blog/${slug}`, () => slug))
  .filter(({ path }) => !blog.some((named) => named.path === path));

export const allPages: readonly SitePage[] = [
  home,
  chat,
  pricing,
  dashboard,
  ...toolPages,
  ...blog,
  ...company,
  ...legal,
  ...articles,
];
