import {
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirectDocument,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router';
import { pageContext } from '../../platform/http/page-context.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { toolMeta } from '../../shared/page-meta.ts';
import { me } from '../accounts/users/service.server.ts';
import { assistantList } from './assistants/service.server.ts';
import { type ChatView, generalAssistant } from './contract.ts';
import { deletedChat, listChats, openChat } from './service.server.ts';
import { isAdopting } from './web/state/adopted.ts';
import './web/chat.css';
import { ChatPage } from './web/chat-page.tsx';
import type { ChatPageData } from './web/state/chat-state.ts';
import { landScript } from './web/transcript/land.ts';

export const handle = { page: 'app', script: landScript } satisfies PageHandle;

export const meta: MetaFunction<typeof loader> = ({ matches, params, loaderData }) =>
  toolMeta({
    matches,
    params,
    title: 'Chat',
    open: loaderData?.missing ? 'Not found' : loaderData?.chat?.title,
    description:
      'A chat for questions, drafts, code and documents that keeps every thread. A message costs one credit, and the first credits are free.',
    path: '/chat',
  });

/** The assistants, the tools among them that have a page, and the one that a new chat begins with. */
function beginnings(wanted: string | null, isBuilt: (path: string) => boolean) {
  const assistants = assistantList();
  const chosen = assistants.find(({ id }) => id === wanted);
  const toolPages = assistants.flatMap(({ tool }) => (tool && isBuilt(tool.path) ? [tool.path] : []));
  return { assistants, toolPages, assistant: chosen?.id ?? generalAssistant };
}

/** `/chat` opens the newest chat, `/chat/new` and `?assistant=` none, `/chat/:id` that one, at the message `?at=`; a stranger's chat is as missing as none. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { actor, isBuilt } = context.get(pageContext);
  const query = new URL(request.url).searchParams;
  const at = query.get('at');
  const now = new Date().toISOString();
  const begins = { ...beginnings(query.get('assistant'), isBuilt), at, now };
  const guest: ChatPageData = {
    me: null,
    chats: [],
    next: null,
    chat: null,
    missing: false,
    deleted: null,
    ...begins,
  };
  if (actor.kind !== 'user') {
    // A whole page load: the sign-in page is of the other kind. The draft of the chat waits in the browser.
    if (params.id && params.id !== 'new')
      throw redirectDocument(`/sign-in?next=${encodeURIComponent(`/chat/${params.id}`)}`);
    return guest;
  }
  const wanted = async (): Promise<ChatView | null> =>
    params.id === 'new' || query.has('assistant')
      ? null
      : openChat({ actor, input: { id: params.id ?? null, at: at ?? undefined } });
  const [person, list, chat] = await Promise.all([
    me({ actor }),
    listChats({ actor, input: {} }),
    wanted().catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return 'missing' as const;
      throw error;
    }),
  ]);
  const missing = chat === 'missing';
  const deleted = missing ? await deletedChat({ actor, input: { id: params.id ?? '' } }) : null;
  const page: ChatPageData = {
    me: person,
    ...list,
    chat: missing ? null : chat,
    missing,
    deleted,
    ...begins,
  };
  return data(page, { status: missing ? 404 : 200 });
}

/** A chat that was begun on this page takes on its address without being loaded again. */
export const shouldRevalidate = ({ nextParams, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  !isAdopting(nextParams.id) && defaultShouldRevalidate;

export default function ChatRoute() {
  return <ChatPage data={useLoaderData<typeof loader>()} />;
}
