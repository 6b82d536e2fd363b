import { data } from 'react-router';
import type { PageHandle } from '#shared/page-handle.ts';
import { NotFoundView } from './error/not-found-view.tsx';

export const handle: PageHandle = { page: 'public', cache: false };

export const meta = () => [{ name: 'robots', content: 'noindex' }];

export const loader = () => data(null, { status: 404 });

export default NotFoundView;
