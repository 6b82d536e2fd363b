import { blogOrder } from '../../../content/blog.ts';

/** A page of the specification. */
export interface Place {
  path: string;
  name: string;
  /** false until its issue has built it: it answers with the page 'not yet', and nothing links to it. */
  ready: boolean;
}

const place = (path: string, name: string, ready = false): Place => ({ path, name, ready });

export const home = place('/', 'Home', true);
export const chat = place('/chat', 'Chat', true);
export const toolsIndex = place('/tools', 'All tools', true);
export const pricing = place('/pricing', 'Pricing', true);
export const dashboard = place('/dashboard', 'Dashboard', true);
export const blogIndex = place('/blog', 'All articles', true);

/** The menu of tools, and the group of the footer. */
export const tools: readonly Place[] = [
  place('/tools/writer', 'AI Writer', true),
  place('/tools/script', 'Script Generator', true),
  place('/tools/image', 'Image Generator', true),
  place('/tools/pdf', 'PDF Analyzer', true),
  place('/tools/prompts', 'Prompt Lab', true),
  toolsIndex,
];

/** The menu of the blog: what newcomers look for, and the way to the rest. */
export const blog: readonly Place[] = [
  place('/blog/what-is-gpt-5', 'What is GPT-5', true),
  place('/blog/prompt-engineering-guide', 'Prompt engineering guide', true),
  place('/blog/50-gpt-5-prompts', '50 prompts', true),
  blogIndex,
];

export const company: readonly Place[] = [
  place('/about', 'About', true),
  place('/contact', 'Contact', true),
  place('/use-cases', 'Use cases', true),
  place('/sitemap', 'Sitemap', true),
];

export const legal: readonly Place[] = [
  place('/privacy', 'Privacy Policy', true),
  place('/terms', 'Terms of Service', true),
  place('/cookies', 'Cookie Policy', true),
];

/** Every article of the specification that no menu names. */
const articles = blogOrder
  .map((slug) => place(`/blog/${slug}`, 'Article', true))
  .filter(({ path }) => !blog.some((named) => named.path === path));

/** What can be linked to. */
export const ready = (places: readonly Place[]) => places.filter((each) => each.ready);

/** Every place that a menu or an article may lead to. */
export const allPlaces: readonly Place[] = [
  home,
  chat,
  pricing,
  dashboard,
  ...tools,
  ...blog,
  ...company,
  ...legal,
  ...articles,
];

/** Every place that answers with the page 'not yet'. */
export const notYet = allPlaces.filter((each) => !each.ready);
