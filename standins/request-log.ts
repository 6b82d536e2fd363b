/**
 * All requests that the stand-ins received, for tests to compare the product with. Requests to the tools of the tests
 * (/log, /control, /clock, /mail) are not logged.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isRecord, type Router, sendJson } from './http.ts';
import { JsonMirror, readJsonFile } from './json-file.ts';

const MAX_ENTRIES = 20_000;
const MAX_CHARS = 96 * 1024 * 1024;
const MAX_MESSAGE_CHARS = 128 * 1024;
const MAX_SENT_CHARS = 1024 * 1024;
const MAX_DISK_ENTRIES = 200;
const MAX_DISK_CHARS = 16 * 1024;

interface LoggedMessage {
  role: string;
  /** Cut at 128 Ki characters; `chars` is the full length. */
  content: string;
  chars: number;
}

export interface LogView {
  id: number;
  at: string;
  method: string;
  path: string;
  requestId: string | null;
  status: number | null;
  /** Whether the whole response was handed to the system before the connection closed. */
  finished: boolean;
  clientClosedAt: string | null;
  closedBy: 'client' | 'server' | null;
  model: string | null;
  messages: LoggedMessage[];
  stream: boolean;
  mode: string | null;
  sentText: string;
  tokensSent: number;
  firstTokenAt: string | null;
  /** Fields of the service: kind, generationId, usage, ... */
  detail: Record<string, unknown>;
}

interface Piece {
  text: string;
  chars: number;
}

/**
 * A logged request. Sent text is kept as shared whole strings and the length sent so far, because 1,000 streams may
 * send the same one.
 */
export class LogEntry {
  readonly view: LogView;
  readonly #pieces: Piece[] = [];
  #recorded = 0;
  #response: ServerResponse | null;

  constructor(view: LogView, response: ServerResponse | null = null) {
    this.view = view;
    this.#response = response;
  }

  close(): void {
    const { view } = this;
    const response = this.#response;
    this.#response = null;
    if (!response) return;
    if (response.headersSent) view.status = response.statusCode;
    view.finished = response.writableFinished;
    view.closedBy ??= view.finished ? 'server' : 'client';
    if (view.closedBy === 'client') view.clientClosedAt = new Date().toISOString();
  }

  piece(text: string): Piece {
    const piece = { text, chars: 0 };
    if (this.#recorded < MAX_SENT_CHARS) this.#pieces.push(piece);
    this.#recorded += text.length;
    return piece;
  }

  sent(text: string, tokens = 1): void {
    this.piece(text).chars = text.length;
    this.tokens(tokens);
  }

  tokens(count: number): void {
    this.view.firstTokenAt ??= new Date().toISOString();
    this.view.tokensSent += count;
  }

  get sentWeight(): number {
    return Math.min(this.#recorded, MAX_SENT_CHARS);
  }

  get weight(): number {
    return this.view.messages.reduce((sum, message) => sum + message.content.length, 200 + this.sentWeight);
  }

  show(): LogView {
    if (this.#response?.headersSent) this.view.status = this.#response.statusCode;
    if (this.#pieces.length === 0) return this.view;
    return { ...this.view, sentText: this.#pieces.map((p) => p.text.slice(0, p.chars)).join('') };
  }
}

export function loggedMessage(role: string, content: string): LoggedMessage {
  return { role, content: content.slice(0, MAX_MESSAGE_CHARS), chars: content.length };
}

function trimmedForDisk(view: LogView): LogView {
  const messages = view.messages.map((m) => ({ ...m, content: m.content.slice(0, MAX_DISK_CHARS) }));
  return { ...view, messages, sentText: view.sentText.slice(0, MAX_DISK_CHARS) };
}

const lastUserText = ({ messages }: LogView) =>
  messages.findLast(({ role }) => role === 'user')?.content ?? '';

export class RequestLog {
  #entries: LogEntry[] = [];
  #weight = 0;
  #nextId = 1;
  readonly #file: JsonMirror;
  readonly #known = new WeakSet<ServerResponse>();

  constructor(dir: string) {
    const path = join(dir, 'log.json');
    this.#file = new JsonMirror(path, () =>
      this.#entries.slice(-MAX_DISK_ENTRIES).map((entry) => trimmedForDisk(entry.show())),
    );
    const stored = readJsonFile(path);
    for (const item of Array.isArray(stored) ? stored : []) {
      if (!isRecord(item) || typeof item.id !== 'number' || !Array.isArray(item.messages)) continue;
      this.#add(new LogEntry(item as unknown as LogView));
      this.#nextId = Math.max(this.#nextId, item.id + 1);
    }
  }

  #add(entry: LogEntry): void {
    this.#entries.push(entry);
    this.#weight += entry.weight;
    if (this.#entries.length <= MAX_ENTRIES && this.#weight <= MAX_CHARS) return;
    // Drops a tenth at a time: shifting a long array on every request would cost more than the request.
    this.#entries = this.#entries.slice(Math.ceil(this.#entries.length / 10));
    this.#weight = this.#entries.reduce((sum, each) => sum + each.weight, 0);
  }

  open(req: IncomingMessage, res: ServerResponse, path: string, fields: Partial<LogView>): LogEntry {
    const requestId = req.headers['x-request-id'];
    const view: LogView = {
      ...{ id: this.#nextId++, at: new Date().toISOString(), method: req.method ?? '', path },
      requestId: typeof requestId === 'string' ? requestId : null,
      ...{ status: null, finished: false, clientClosedAt: null, closedBy: null },
      ...{ model: null, messages: [], stream: false, mode: null },
      ...{ sentText: '', tokensSent: 0, firstTokenAt: null, detail: {} },
      ...fields,
    };
    const entry = new LogEntry(view, res);
    this.#known.add(res);
    this.#add(entry);
    this.#file.touch();
    res.once('close', () => {
      entry.close();
      this.#weight += entry.sentWeight;
      this.#file.touch();
    });
    return entry;
  }

  knows(res: ServerResponse): boolean {
    return this.#known.has(res);
  }

  /** Returns entries, oldest first. `contains` searches the last user message, `path` must match exactly. */
  list(filter: { contains?: string | null; path?: string | null }): LogView[] {
    return this.#entries
      .filter(({ view }) => !filter.path || view.path === filter.path)
      .filter(({ view }) => !filter.contains || lastUserText(view).includes(filter.contains))
      .map((entry) => entry.show());
  }

  findByDetail(name: string, value: string): LogView | undefined {
    return this.#entries.findLast(({ view }) => view.detail[name] === value)?.show();
  }

  mount(router: Router): void {
    router.on('GET', '/log', ({ url: { searchParams: query }, res }) =>
      sendJson(res, 200, this.list({ contains: query.get('contains'), path: query.get('path') })),
    );
    router.on('DELETE', '/log', ({ res }) => {
      this.#entries = [];
      this.#weight = 0;
      this.#file.touch();
      sendJson(res, 200, { deleted: true });
    });
  }

  flush(): void {
    this.#file.flush();
  }
}
