import type { AdminRoute } from '../admin-request.server.ts';
import { tableRoutes } from '../table/table-routes.server.tsx';
import { imagesTable } from './images-table.tsx';
import { markAnswered, messagePage } from './message-page.server.tsx';
import { messagesTable } from './messages-table.tsx';
import { issuePage, newsletterPage, previewPage, sendTest, sendToAll } from './newsletter-page.server.tsx';
import { decide, promptPage } from './prompt-page.server.tsx';
import { promptsTable } from './prompts-table.tsx';
import { decideOnShare, sharePage } from './share-page.server.tsx';
import { sharesTable } from './shares-table.tsx';

export const contentRoutes: readonly AdminRoute[] = [
  ...tableRoutes({ table: promptsTable, title: 'Prompts', here: '/admin/prompts' }),
  { method: 'GET', path: '/admin/prompts/:id', handle: promptPage },
  { method: 'POST', path: '/admin/prompts/:id/:decision', handle: decide },
  ...tableRoutes({ table: imagesTable, title: 'Refused image prompts', here: '/admin/images' }),
  ...tableRoutes({ table: sharesTable, title: 'Shared pages', here: '/admin/shares' }),
  { method: 'GET', path: '/admin/shares/:id', handle: sharePage },
  { method: 'POST', path: '/admin/shares/:id/:decision', handle: decideOnShare },
  ...tableRoutes({ table: messagesTable, title: 'Messages', here: '/admin/messages' }),
  { method: 'GET', path: '/admin/messages/:reference', handle: messagePage },
  { method: 'POST', path: '/admin/messages/:reference/done', handle: markAnswered },
  { method: 'GET', path: '/admin/newsletter', handle: newsletterPage },
  { method: 'GET', path: '/admin/newsletter/:id', handle: issuePage },
  { method: 'POST', path: '/admin/newsletter/preview', handle: previewPage },
  { method: 'POST', path: '/admin/newsletter/trial', handle: sendTest },
  { method: 'POST', path: '/admin/newsletter/send', handle: sendToAll },
];
