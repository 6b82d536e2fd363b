import { randomUUID } from 'node:crypto';
import type { ImageJob, ImagePage, StartedImages } from '#features/images/contract.ts';
import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

/** Makes the gateway stand-in answer without delay; it draws the rest of the prompt. */
export const quick = '[[first:0]]';

export interface ImageResponse {
  status: number;
  key: string;
  retryAfter: string | null;
  body: StartedImages & { error: string; code: string };
}

/** Requests pictures. */
export async function requestImages(
  person: Pick<Person, 'send'>,
  body: Record<string, unknown>,
  key: string = randomUUID(),
): Promise<ImageResponse> {
  const response = await person.send('POST', '/api/images', body, { 'idempotency-key': key });
  return {
    status: response.status,
    key,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as ImageResponse['body'],
  };
}

export async function getJob(person: Pick<Person, 'get'>, id: string): Promise<ImageJob> {
  return (await (await person.get(`/api/images/${id}`)).json()) as ImageJob;
}

/** Waits until the run has ended, and returns its job. */
export function waitForJob(person: Pick<Person, 'get'>, id: string): Promise<ImageJob> {
  return eventually(async () => {
    const job = await getJob(person, id);
    return !['queued', 'running'].includes(job.state) && job;
  });
}

/** Requests pictures and waits for the end of the run. */
export async function drawImages(person: Person, body: Record<string, unknown>): Promise<ImageJob> {
  const asked = await requestImages(person, body);
  if (asked.status !== 202) throw new Error(`${asked.status} ${asked.body.error}`);
  return waitForJob(person, asked.body.generation.id);
}

export async function gallery(person: Pick<Person, 'get'>, query = ''): Promise<ImagePage> {
  return (await (await person.get(`/api/images${query}`)).json()) as ImagePage;
}

/** Returns the bytes of a picture. */
export async function bytesOf(person: Pick<Person, 'get'>, id: string, query = ''): Promise<Buffer> {
  const response = await person.get(`/api/images/pictures/${id}${query}`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Returns the international text chunks of a PNG, by keyword. */
export function pngTexts(png: Buffer): Map<string, string> {
  const texts = new Map<string, string>();
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) !== 'iTXt') continue;
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const end = data.indexOf(0);
    texts.set(data.toString('latin1', 0, end), data.toString('utf8', end + 5));
  }
  return texts;
}

export interface LoggedRequest {
  path: string;
  requestId: string;
  model: string | null;
  mode: string;
  detail: Record<string, unknown>;
  clientClosedAt: string | null;
  finished: boolean;
}

/** Returns the requests that a stand-in received with a text: for pictures, or to moderate a prompt. */
export async function requests(
  server: Pick<TestServer, 'standins'>,
  what: 'images' | 'images/generations' | 'moderation',
  text: string,
): Promise<LoggedRequest[]> {
  const path = what === 'moderation' ? '/creem/v1/moderation/prompt' : `/gateway/v1/${what}`;
  const query = new URLSearchParams({ contains: text, path });
  return (await (await fetch(`${server.standins}/log?${query}`)).json()) as LoggedRequest[];
}
