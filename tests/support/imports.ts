import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type ImportView, importLimits } from '#features/imports/contract.ts';
import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

type Requests = Pick<Person, 'get' | 'send' | 'cookie'>;
type Site = Pick<TestServer, 'url'>;

export const listImports = async (person: Pick<Person, 'get'>): Promise<ImportView[]> =>
  ((await (await person.get('/api/imports')).json()) as { imports: ImportView[] }).imports;

export const putPart = (
  server: Site,
  { cookie }: Pick<Person, 'cookie'>,
  id: string,
  part: number,
  bytes: Uint8Array,
) =>
  fetch(`${server.url}/api/imports/${id}/parts/${part}`, {
    method: 'PUT',
    headers: { cookie, origin: server.url },
    body: new Uint8Array(bytes),
  });

/** Uploads a file as the page does, and starts the import. */
export async function sendImport(
  server: Site,
  person: Requests,
  bytes: Uint8Array | string,
  name = 'conversations.json',
): Promise<ImportView> {
  const file = Buffer.from(bytes as string);
  const created = await person.send('POST', '/api/imports', { name, bytes: file.length });
  if (created.status !== 201) throw new Error(`${created.status} ${await created.text()}`);
  const { id } = (await created.json()) as ImportView;
  for (let part = 0; part * importLimits.part < file.length; part++) {
    const piece = file.subarray(part * importLimits.part, (part + 1) * importLimits.part);
    const answer = await putPart(server, person, id, part, piece);
    if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
  }
  const started = await person.send('POST', `/api/imports/${id}/start`);
  if (started.status !== 202) throw new Error(`${started.status} ${await started.text()}`);
  return (await started.json()) as ImportView;
}

export async function waitForImport(person: Pick<Person, 'get'>, id: string): Promise<ImportView> {
  let view: ImportView | undefined;
  await eventually(async () => {
    view = (await listImports(person)).find((each) => each.id === id);
    return view?.finishedAt !== null;
  });
  return view as ImportView;
}

/** Uploads a file and waits until it is imported or refused. */
export async function importFile(
  server: Site,
  person: Requests,
  bytes: Uint8Array | string,
  name?: string,
): Promise<ImportView> {
  const { id } = await sendImport(server, person, bytes, name);
  return waitForImport(person, id);
}

export function zipped(files: Record<string, Buffer | string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), name);
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream & AsyncIterable<Buffer>);
}

/** ChatGPT stores times in seconds. */
const second = (text: string) => Date.parse(text) / 1000;

interface ChatgptNode {
  id: string;
  parent: string | null;
  role?: string;
  parts?: unknown[];
  at?: string;
  content?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  recipient?: string;
}

export function chatgptChat(
  fields: Record<string, unknown>,
  nodes: ChatgptNode[],
): Record<string, unknown> & { conversation_id: string } {
  const mapping = Object.fromEntries(
    nodes.map(({ id, parent, role, parts, at, content, metadata = {}, recipient = 'all' }) => [
      id,
      {
        id,
        parent,
        children: nodes.filter((each) => each.parent === id).map((each) => each.id),
        message: role
          ? {
              id,
              author: { role, name: null, metadata: {} },
              create_time: at ? second(at) : null,
              update_time: null,
              content: content ?? { content_type: 'text', parts },
              status: 'finished_successfully',
              end_turn: role === 'assistant' ? true : null,
              weight: 1,
              metadata,
              recipient,
            }
          : null,
      },
    ]),
  );
  const conversation_id = randomUUID();
  return {
    title: 'A chat',
    create_time: second('2024-03-01T09:00:00Z'),
    update_time: second('2024-03-01T09:30:00Z'),
    mapping,
    moderation_results: [],
    current_node: nodes.at(-1)?.id,
    plugin_ids: null,
    conversation_id,
    id: conversation_id,
    conversation_template_id: null,
    gizmo_id: null,
    is_archived: false,
    safe_urls: [],
    default_model_slug: 'gpt-4o',
    ...fields,
  };
}

/** A history in ChatGPT's export format: hidden and tool nodes, a regenerated reply, an image, a file, thoughts. */
export function chatgptHistory(word: string) {
  const system = {
    id: 'sys',
    parent: 'root',
    role: 'system',
    parts: [''],
    metadata: { is_visually_hidden_from_conversation: true },
  };
  const first = chatgptChat({ title: `Kestrel ${word}`, current_node: 'a1' }, [
    { id: 'root', parent: null },
    system,
    {
      id: 'ctx',
      parent: 'sys',
      role: 'user',
      content: {
        content_type: 'user_editable_context',
        user_profile: 'I am a tester',
        user_instructions: 'Short.',
      },
      metadata: { is_visually_hidden_from_conversation: true },
    },
    { id: 'q1', parent: 'ctx', role: 'user', parts: [`What is a ${word}?`], at: '2024-03-01T09:00:00Z' },
    {
      id: 'a1',
      parent: 'q1',
      role: 'assistant',
      parts: [`**${word}** is a bird.\ue200cite\ue202turn0search0\ue201`],
      at: '2024-03-01T09:00:10Z',
    },
    { id: 'a2', parent: 'q1', role: 'assistant', parts: ['A falcon.'], at: '2024-03-01T09:05:00Z' },
    { id: 'q2', parent: 'a2', role: 'user', parts: ['How fast?'], at: '2024-03-01T09:06:00Z' },
    {
      id: 't1',
      parent: 'q2',
      role: 'assistant',
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Speed', content: 'x' }] },
      at: '2024-03-01T09:06:01Z',
    },
    {
      id: 'c1',
      parent: 't1',
      role: 'assistant',
      recipient: 'web',
      content: { content_type: 'code', language: 'unknown', text: 'search("speed")' },
      at: '2024-03-01T09:06:02Z',
    },
    {
      id: 'r1',
      parent: 'c1',
      role: 'tool',
      content: { content_type: 'tether_browsing_display', result: 'x', text: '40' },
      at: '2024-03-01T09:06:03Z',
    },
    { id: 'a3', parent: 'r1', role: 'assistant', parts: ['Let me see.'], at: '2024-03-01T09:06:04Z' },
    { id: 'a4', parent: 'a3', role: 'assistant', parts: ['About 65 km/h.'], at: '2024-03-01T09:06:05Z' },
  ]);
  const second = chatgptChat({ title: '', update_time: Date.parse('2024-05-01T10:00:00Z') / 1000 }, [
    { id: 'r', parent: null },
    {
      id: 'p1',
      parent: 'r',
      role: 'user',
      content: {
        content_type: 'multimodal_text',
        parts: [
          {
            content_type: 'image_asset_pointer',
            asset_pointer: 'file-service://file-abc',
            width: 10,
            height: 10,
          },
          `See this ${word}`,
        ],
      },
      metadata: {
        attachments: [
          { id: 'f1', name: 'plan.pdf', mime_type: 'application/pdf' },
          { id: 'f2', name: 'a.png', mime_type: 'image/png' },
        ],
      },
      at: '2024-05-01T09:59:00Z',
    },
    { id: 'p2', parent: 'p1', role: 'assistant', parts: ['A plan.'], at: '2024-05-01T10:00:00Z' },
  ]);
  return [first, second];
}

/** A history in Claude's export format: blocks, a file with text, one without, thinking and a tool. */
export function claudeHistory(word: string) {
  const message = (sender: string, text: string, at: string, more: Record<string, unknown> = {}) => ({
    uuid: randomUUID(),
    text,
    content: [{ start_timestamp: at, stop_timestamp: at, type: 'text', text, citations: [] }],
    sender,
    created_at: at,
    updated_at: at,
    attachments: [],
    files: [],
    ...more,
  });
  return [
    {
      uuid: randomUUID(),
      name: `Harbour ${word}`,
      summary: '',
      created_at: '2024-06-01T08:00:00.123456Z',
      updated_at: '2024-06-01T08:10:00.123456Z',
      account: { uuid: randomUUID() },
      chat_messages: [
        message('human', `Read this about ${word}`, '2024-06-01T08:00:00.123456Z', {
          attachments: [
            { file_name: 'notes.txt', file_size: 12, file_type: 'txt', extracted_content: 'Tide at nine.' },
          ],
          files: [{ file_name: 'harbour.png' }],
        }),
        message('assistant', '', '2024-06-01T08:01:00.123456Z', {
          content: [
            { type: 'thinking', thinking: 'Hm.', summaries: [] },
            { type: 'text', text: 'I look it up.' },
            { type: 'tool_use', name: 'web_search', input: { query: word } },
            { type: 'tool_result', name: 'web_search', content: [] },
            { type: 'text', text: 'The tide is at nine.' },
          ],
        }),
        message('human', 'Thanks', '2024-06-01T08:09:00Z'),
        message('assistant', 'Welcome.', '2024-06-01T08:10:00Z'),
      ],
    },
    {
      uuid: randomUUID(),
      name: '',
      created_at: '2024-06-02T08:00:00Z',
      updated_at: '2024-06-02T08:00:00Z',
      chat_messages: [],
    },
  ];
}
