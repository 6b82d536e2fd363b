import { request } from '#client/api-request.ts';
import { prefillText } from '#client/form-draft.ts';
import { toast } from '#client/page-events.ts';
import { readProblem } from '#client/problem-error.ts';
import { showError } from '#client/show-error.ts';
import { local } from '#client/storage.ts';
import { newUuid } from '#client/uuid.ts';
import type { Me } from '#features/accounts/contract.ts';
import { type Attachment, attachmentLimits, prefillComposer } from '#features/chat/contract.ts';
import { imageLimits } from '#features/images/contract.ts';
import { scriptLimits } from '#features/script/contract.ts';
import { m } from '#messages';

/** Tools that take a text: the composer of a new chat, the Writer as a new text, or the form of a tool. */
export type Receiver = 'chat' | 'writer' | 'script' | 'image';

const forms = {
  script: { path: '/tools/script', maxLength: scriptLimits.sceneLength, tool: m.tool_script },
  image: { path: '/tools/image', maxLength: imageLimits.prompt, tool: m.tool_image },
} as const;

const showDanger = (text: string) => toast({ text, kind: 'danger' });

function openPage(path: string, saved: boolean): void {
  if (saved) location.assign(path);
  else showDanger(m.handover_no_storage());
}

/** Does not use `json()`: its keepalive requests are limited to 64 KiB, and this page waits for the response anyway. */
async function openInWriter(content: string): Promise<void> {
  const { id } = await request<{ id: string }>('/api/write/texts', {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ id: newUuid(), content }),
  });
  location.assign(`/tools/writer/${id}`);
}

async function openInForm(receiver: 'script' | 'image', text: string): Promise<void> {
  const { path, maxLength, tool } = forms[receiver];
  if (text.length > maxLength)
    return showDanger(m.handover_too_long({ tool: tool(), most: maxLength, length: text.length }));
  const { id } = await request<Me>('/api/me');
  openPage(path, prefillText(receiver, id, text));
}

async function openInChat(text: string): Promise<void> {
  const { id } = await request<Me>('/api/me');
  openPage('/chat/new', prefillComposer(text, id));
}

function draftOfNewChat(owner: string): { text?: string; attachments?: Attachment[] } {
  try {
    const stored = JSON.parse(local.getItem('draft:new') ?? '{}');
    return (stored.owner ?? owner) === owner ? stored : {};
  } catch {
    return {};
  }
}

/** Keeps what the same person has typed and attached there. */
function attachInChat(file: Attachment, owner: string): void {
  const { text = '', attachments = [], ...rest } = draftOfNewChat(owner);
  const files = [...attachments, file];
  const draft = { ...rest, text, attachments: files, at: Date.now(), owner };
  openPage('/chat/new', local.setItem('draft:new', JSON.stringify(draft)));
}

/** Starts and charges nothing; what was already typed there follows the text. */
export async function handOver(receiver: Receiver, content: string | Promise<string>): Promise<void> {
  try {
    const text = await content;
    if (receiver === 'chat') await openInChat(text);
    else if (receiver === 'writer') await openInWriter(text);
    else await openInForm(receiver, text);
  } catch (error) {
    showError(error);
  }
}

/** Attaches a copy of the picture to a new message; it remains when the picture is deleted. */
export async function attachPicture(address: string, name: string): Promise<void> {
  try {
    const { id: owner } = await request<Me>('/api/me');
    const limit = attachmentLimits.perMessage;
    if ((draftOfNewChat(owner).attachments ?? []).length >= limit)
      return showDanger(m.chat_file_limit({ most: limit, left: 1 }));
    const picture = await fetch(address);
    if (!picture.ok) throw await readProblem(picture);
    const body = await picture.blob();
    const file = await request<Attachment>(`/api/files?${new URLSearchParams({ name })}`, {
      method: 'POST',
      body,
    });
    attachInChat(file, owner);
  } catch (error) {
    showError(error);
  }
}
