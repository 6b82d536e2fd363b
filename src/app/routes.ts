import { index, type RouteConfig, route } from '@react-router/dev/routes';
import { notYet } from './shell/places.ts';

/** URL -> route module: the map of the site. */
export default [
  index('pages/home.route.tsx'),
  route('chat/:id?', '../features/chat/chat.route.tsx'),
  route('tools/writer/:id?', '../features/writer/writer.route.tsx'),
  route('tools/script/:id?', '../features/script/script.route.tsx'),
  route('sign-in', '../features/accounts/sign-in.route.tsx'),
  route('sign-in/confirm', '../features/accounts/confirm.route.tsx'),
  route('auth/callback', '../features/accounts/callback.route.tsx'),
  route('error', 'pages/error.route.tsx'),
  ...notYet.map(({ path }) => route(path.slice(1), 'pages/not-yet.route.tsx', { id: `not-yet${path}` })),
  route('pricing', 'pages/pricing.route.tsx'),
  route('tools', 'pages/tools.route.tsx'),
  route('use-cases', 'pages/use-cases.route.tsx'),
  route('about', 'pages/about.route.tsx'),
  route('sitemap', 'pages/sitemap.route.tsx'),
  route('privacy', 'pages/legal/privacy.route.tsx'),
  route('terms', 'pages/legal/terms.route.tsx'),
  route('cookies', 'pages/legal/cookies.route.tsx'),
  route('blog', '../features/blog/blog.route.tsx'),
  route('blog/:slug', '../features/blog/article.route.tsx'),
  route('restore', '../features/accounts/restore.route.tsx'),
  route('tools/image/:id?', '../features/image/image.route.tsx'),
  route('tools/pdf/:id?', '../features/pdf/pdf.route.tsx'),
  route('tools/prompts', '../features/prompts/library.route.tsx'),
  route('tools/prompts/:slug', '../features/prompts/prompt.route.tsx'),
  route('dashboard', 'pages/dashboard.route.tsx'),
  route('settings', '../features/accounts/settings.route.tsx'),
  route('*', 'pages/not-found.route.tsx'),
] satisfies RouteConfig;
