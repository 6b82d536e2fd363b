import { randomUUID } from 'node:crypto';
import type { DocumentView } from '#features/pdfs/contract.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

export type ErrorBody = { error: string; code: string };

export async function addDocument(
  server: Pick<TestServer, 'url'>,
  person: Pick<Person, 'cookie'>,
  bytes: Uint8Array,
  name = 'report.pdf',
) {
  const response = await fetch(`${server.url}/api/documents?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { cookie: person.cookie, origin: server.url },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, body: (await response.json()) as DocumentView & ErrorBody };
}

export const runOnDocument = async (
  person: Person,
  path: string,
  body?: object,
  key: string = randomUUID(),
) => {
  const response = await person.send('POST', path, body, { 'idempotency-key': key });
  return {
    status: response.status,
    body: (await response.json()) as { generation: { id: string } } & ErrorBody,
  };
};

export const analyze = (person: Person, id: string, key?: string) =>
  runOnDocument(person, `/api/documents/${id}/analysis`, undefined, key);

export const ask = (person: Person, id: string, question: string, key?: string) =>
  runOnDocument(person, `/api/documents/${id}/questions`, { question }, key);

export const openDocument = async (person: Pick<Person, 'get'>, id: string) =>
  (await (await person.get(`/api/documents/${id}`)).json()) as DocumentView;
