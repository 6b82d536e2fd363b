import { index, type RouteConfig, route } from '@react-router/dev/routes';

/** URL -> route module: the map of the site. */
export default [
  index('pages/home.route.tsx'),
  route('chat/:id?', '../features/chat/chat.route.tsx'),
  route('sign-in', '../features/accounts/sign-in.route.tsx'),
  route('sign-in/confirm', '../features/accounts/confirm.route.tsx'),
  route('restore', '../features/accounts/restore.route.tsx'),
  route('settings', '../features/accounts/settings.route.tsx'),
  route('*', 'pages/not-found.route.tsx'),
] satisfies RouteConfig;
