import { index, type RouteConfig } from '@react-router/dev/routes';

/** URL -> route module: the map of the site. */
export default [index('pages/home.route.tsx')] satisfies RouteConfig;
