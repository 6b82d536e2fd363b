import { blogOrder } from '../../../content/blog.ts';

/** A page of the specification. */
export interface Place {
  path: string;
  name: string;
}

const place = (path: string, name: string): Place => ({ path, name });

export const home = place('/', 'Home');
export const chat = place('/chat', 'Chat');
export const toolsIndex = place('/tools', 'All tools');
export const pricing = place('/pricing', 'Pricing');
export const dashboard = place('/dashboard', 'Dashboard');
export const blogIndex = place('/blog', 'All articles');

/** The menu of tools, and the group of the footer. */
export const tools: readonly Place[] = [
  place('/tools/writer', 'AI Writer'),
  place('/tools/script', 'Script Generator'),
  place('/tools/image', 'Image Generator'),
  place('/tools/pdf', 'PDF Analyzer'),
  place('/tools/prompts', 'Prompt Lab'),
  toolsIndex,
];

/** The menu of the blog: what newcomers look for, and the way to the rest. */
export const blog: readonly Place[] = [
  place('/blog/what-is-gpt-5', 'What is GPT-5'),
  place('/blog/prompt-engineering-guide', 'Prompt engineering guide'),
  place('/blog/50-gpt-5-prompts', '50 prompts'),
  blogIndex,
];

/** What has nothing to read: in the footer, not on the map of the site. */
export const newsletter = place('/newsletter', 'Newsletter');

export const company: readonly Place[] = [
  place('/about', 'About'),
  place('/contact', 'Contact'),
  place('/use-cases', 'Use cases'),
  place('/sitemap', 'Sitemap'),
];

export const legal: readonly Place[] = [
  place('/privacy', 'Privacy Policy'),
  place('/terms', 'Terms of Service'),
  place('/cookies', 'Cookie Policy'),
];

/** Every article of the specification that no menu names. */
const articles = blogOrder
  .map((slug) => place(`/blog/${slug}`, 'Article'))
  .filter(({ path }) => !blog.some((named) => named.path === path));

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
