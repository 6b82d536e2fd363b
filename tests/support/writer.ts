import { randomUUID } from 'node:crypto';
import type { GenerationView } from '#features/generations/contract.ts';
import type { TextDetail } from '#features/texts/contract.ts';
import type { WriteAnswer } from '#features/writer/contract.ts';
import type { Person } from './people.ts';
import { eventually } from './server.ts';

export interface StartedText {
  work: { id: string };
  version: { id: string };
  proposal: { id: string };
  generation: { id: string; state: string };
  credits: number | null;
  error?: string;
  code?: string;
}

/** Posts to `/api/write` and waits for the finished text. */
export async function write(
  person: Pick<Person, 'send'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: WriteAnswer & { error?: string; code?: string } }> {
  const response = await person.send('POST', '/api/write', body, headers);
  return { status: response.status, body: (await response.json()) as WriteAnswer };
}

/** Starts a text, and returns its ids without waiting for the run. */
export async function begin(
  person: Pick<Person, 'send'>,
  body: unknown,
  key: string = randomUUID(),
): Promise<{ status: number; body: StartedText }> {
  const headers = { prefer: 'respond-async', 'idempotency-key': key };
  const response = await person.send('POST', '/api/write', body, headers);
  return { status: response.status, body: (await response.json()) as StartedText };
}

/** Starts a rewrite of a passage. */
export async function edit(
  person: Pick<Person, 'send'>,
  workId: string,
  body: unknown,
  key: string = randomUUID(),
): Promise<{ status: number; body: StartedText }> {
  const response = await person.send('POST', `/api/write/${workId}/edits`, body, { 'idempotency-key': key });
  return { status: response.status, body: (await response.json()) as StartedText };
}

/** Waits until a run has ended, and returns it. */
export function waitForRun(person: Pick<Person, 'get'>, id: string): Promise<GenerationView> {
  return eventually(async () => {
    const view = (await (await person.get(`/api/generations/${id}`)).json()) as GenerationView;
    return view.state !== 'queued' && view.state !== 'running' && view;
  });
}

/** Returns a text as its page receives it. */
export async function openWork(person: Pick<Person, 'get'>, id: string): Promise<TextDetail> {
  return (await person.get(`/api/works/${id}`)).json() as Promise<TextDetail>;
}
