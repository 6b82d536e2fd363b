import { local } from '#client/storage.ts';
import { readDraft, saveDraft } from '#features/chat/web/state/drafts.ts';
import { keepingKey } from '#features/devices/contract.ts';
import { deleteKeptChats, type KeptChat, readKeptChats } from '#features/devices/web/sealed-chats.ts';
import type { RenderedMessage } from '#features/shares/contract.ts';
import { m } from '#messages';

const find = <T extends HTMLElement>(selector: string, within: ParentNode = document) =>
  within.querySelector<T>(selector);

function show(selector: string, isShown = true): void {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) element.hidden = !isShown;
}

function showConnection(isBack: boolean): void {
  show('[data-away]', !isBack);
  show('[data-back]', isBack);
}

/** Milliseconds between two checks of the server, which can be down while the browser is online. */
const CHECK_INTERVAL_MS = 5_000;

async function checkServer(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  const response = navigator.onLine
    ? await fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
    : null;
  showConnection(response?.ok === true);
}

function watch(): void {
  void checkServer();
  setInterval(checkServer, CHECK_INTERVAL_MS);
  addEventListener('online', checkServer);
  addEventListener('offline', () => showConnection(false));
}

function fromTemplate(id: string): DocumentFragment {
  const template = document.getElementById(id);
  return template instanceof HTMLTemplateElement
    ? (template.content.cloneNode(true) as DocumentFragment)
    : new DocumentFragment();
}

function setText(within: ParentNode, selector: string, text: string): void {
  const element = find(selector, within);
  if (!element) return;
  element.textContent = text;
  element.hidden = text === '';
}

const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium' });

function createRow({ id, title, updatedAt }: KeptChat): DocumentFragment {
  const row = fromTemplate('kept-chat');
  find('a', row)?.setAttribute('href', `/chat/${id}`);
  setText(row, '[data-name]', title);
  setText(row, 'time', day.format(new Date(updatedAt)));
  return row;
}

function createMessage({ role, content, files, images, partial }: RenderedMessage): DocumentFragment {
  const message = fromTemplate(`kept-${role}`);
  if (role === 'user') setText(message, '[data-text]', content);
  else {
    // Safe HTML: the server renders it without scripts, and the page's policy allows only its own script.
    const { body } = new DOMParser().parseFromString(content, 'text/html');
    for (const control of body.querySelectorAll('[data-copy-block]')) control.remove();
    find('[data-reply]', message)?.append(...body.childNodes);
  }
  const imagesNote = images > 0 ? m.shared_images_out({ count: images }) : '';
  setText(message, '[data-files]', files > 0 ? m.shared_files({ count: files }) : imagesNote);
  setText(message, '[data-partial]', partial ? m.shared_partial() : '');
  return message;
}

function showChat({ title, messages, cut }: KeptChat): void {
  setText(document, 'h1', title);
  document.title = title;
  find('[data-messages]')?.append(...messages.map(createMessage));
  show('[data-earlier]', cut);
  show('[data-messages], [data-up]');
}

function showList(chats: readonly KeptChat[]): void {
  find('[data-chats] ul')?.append(...chats.map(createRow));
  show('[data-chats]');
}

/** Shows and saves the draft that the composer shows when the chat is back; only the composer can send it. */
function showDraft(chatId: string | null, owner: string): void {
  const textarea = find<HTMLTextAreaElement>('[data-draft] textarea');
  if (!textarea) return;
  textarea.value = readDraft(local, chatId, owner).text;
  textarea.addEventListener('input', () =>
    saveDraft(local, chatId, { ...readDraft(local, chatId, owner), text: textarea.value }, owner),
  );
  show('[data-draft]');
  show('[data-reason]', false);
}

async function start(): Promise<void> {
  watch();
  find('[data-retry]')?.addEventListener('click', () => location.reload());
  // Signed out: kept chats may still exist if the browser was closed immediately afterwards.
  if (local.getItem('auth') !== 'in') return deleteKeptChats();
  const kept = await readKeptChats();
  if (!kept || kept.chats.length === 0 || local.getItem(keepingKey) !== kept.owner) return;
  const [, chatId] = /^\/chat\/([\w-]+)$/.exec(location.pathname) ?? [];
  const chat = kept.chats.find(({ id }) => id === chatId);
  if (chat) showChat(chat);
  else showList(kept.chats);
  show('[data-missing]', chatId !== undefined && chatId !== 'new' && !chat);
  if (chat) {
    showDraft(chat.id, kept.owner);
    // Scrolls to the end of the chat.
    find('[data-draft]:has(textarea)')?.scrollIntoView({ block: 'end' });
  }
  if (chatId === 'new' && location.search === '') showDraft(null, kept.owner);
}

start().catch(() => undefined);
