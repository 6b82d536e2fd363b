import { lazy, Suspense } from 'react';
import {
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirectDocument,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router';
import { me } from '#features/accounts/service.server.ts';
import { featureTable, welcomeCredits } from '#features/credits/contract.ts';
import { webSearchPrice } from '#features/credits/service.server.ts';
import { guestFacts } from '#features/tools/service.server.ts';
import { m } from '#messages';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { toolMeta } from '#shared/page-meta.ts';
import { assistantList } from './assistants.server.ts';
import { type ChatView, generalAssistant } from './contract.ts';
import { assistantOrNone } from './own-assistants/own-assistants.server.ts';
import { projectOrNone } from './projects/projects.server.ts';
import { deletedChat, listChats, offersWebSearch, openChat } from './service.server.ts';
import { isReplacingUrl } from './web/state/replace-url.ts';
import './web/chat.css';
import { ChatPage } from './web/chat-page.tsx';
import { initialScrollScript } from './web/message-list/initial-scroll.ts';
import { loadMessageList } from './web/message-list/lazy-message-list.tsx';
import type { ChatPageData } from './web/state/chat-state.ts';

/** More than fit on a screen. Rendering one takes the server 0.15 ms; older ones are loaded as the reader scrolls. */
const INITIAL_MESSAGES = 40;

export const handle = {
  page: 'app',
  header: false,
  script: initialScrollScript,
  preloads(loaded) {
    const page = loaded as ChatPageData | undefined;
    return [
      ...(page?.chat?.messages.length ? ['message-list', 'message-parts'] : []),
      ...(page?.projects.length ? ['sidebar-projects'] : []),
    ];
  },
} satisfies PageHandle;

export const meta: MetaFunction<typeof loader> = ({ matches, params, loaderData }) =>
  toolMeta({
    matches,
    params,
    title: loaderData?.me ? m.chat_name() : m.chat_landing_title(),
    open: loaderData?.missing ? m.chat_missing_name() : loaderData?.chat?.title,
    description: m.chat_landing_description({ credits: welcomeCredits() }),
    path: '/chat',
    card: 'chat',
  });

function startOptions(requestedId: string | null, isBuilt: (path: string) => boolean) {
  const assistants = assistantList().filter(({ tool }) => !tool || isBuilt(tool.path));
  const chosen = assistants.find(({ id }) => id === requestedId);
  const toolPages = assistants.flatMap(({ tool }) => (tool && isBuilt(tool.path) ? [tool.path] : []));
  return { assistants, toolPages, assistant: chosen?.id ?? generalAssistant };
}

/** `/chat` opens the newest chat, `/chat/new` and `?assistant=` a new one. Somebody else's chat counts as missing. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { actor, isBuilt } = context.get(pageContext);
  const query = new URL(request.url).searchParams;
  const at = query.get('at');
  const now = new Date().toISOString();
  const temporary = actor.kind === 'user' && query.has('temporary');
  const webPrice = actor.kind === 'user' && offersWebSearch() ? webSearchPrice() : null;
  const dictates = actor.kind === 'user' && featureTable.dictation.offered;
  const startData = {
    webPrice,
    dictates,
    ...startOptions(query.get('assistant'), isBuilt),
    temporary,
    at,
    now,
  };
  const guest: ChatPageData = {
    me: null,
    chats: [],
    next: null,
    projects: [],
    project: null,
    own: null,
    chat: null,
    missing: false,
    deleted: null,
    ...startData,
  };
  if (actor.kind !== 'user') {
    // A full page load, because the sign-in page is a public page. The draft of the chat stays in the browser.
    if (params.id && params.id !== 'new')
      throw redirectDocument(`/sign-in?next=${encodeURIComponent(`/chat/${params.id}`)}`);
    return { ...guest, guest: params.id === undefined ? guestFacts('chat') : null };
  }
  const loadChat = async (): Promise<ChatView | null> =>
    params.id === 'new' || query.has('assistant') || temporary
      ? null
      : openChat({
          actor,
          input: { id: params.id ?? null, at: at ?? undefined, size: INITIAL_MESSAGES },
        });
  const projectId = params.id === 'new' && !temporary ? query.get('project') : null;
  const assistantId = params.id === 'new' || params.id === undefined ? query.get('assistant') : null;
  const [person, list, project, own, chat] = await Promise.all([
    me({ actor }),
    listChats({ actor, input: {} }),
    projectId === null ? null : projectOrNone({ actor, input: { id: projectId } }),
    assistantId === null ? null : assistantOrNone({ actor, input: { id: assistantId } }),
    loadChat().catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return 'missing' as const;
      throw error;
    }),
  ]);
  const missing = chat === 'missing';
  const deleted = missing ? await deletedChat({ actor, input: { id: params.id ?? '' } }) : null;
  const page: ChatPageData = {
    me: person,
    ...list,
    project,
    chat: missing ? null : chat,
    missing,
    deleted,
    ...startData,
    own,
    assistant: own?.id ?? startData.assistant,
  };
  return data({ ...page, guest: null }, { status: missing ? 404 : 200 });
}

export const shouldRevalidate = ({ nextParams, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  !isReplacingUrl(nextParams.id) && defaultShouldRevalidate;

// Server-rendered messages are interactive as soon as the page is.
if (typeof document !== 'undefined' && document.querySelector('.chat-turn')) await loadMessageList();

// The same goes for projects, and for the page of a missing chat.
if (typeof document !== 'undefined' && document.querySelector('.chat-projects'))
  await import('./web/projects/sidebar-projects.tsx');
if (typeof document !== 'undefined' && document.querySelector('.chat-missing'))
  await import('./web/missing-chat.tsx');

const Landing = lazy(() => import('./web/chat-landing.tsx'));

export default function ChatRoute() {
  const page = useLoaderData<typeof loader>();
  return (
    <>
      <ChatPage data={page} />
      {page.guest ? (
        <Suspense fallback={null}>
          <Landing />
        </Suspense>
      ) : null}
    </>
  );
}
