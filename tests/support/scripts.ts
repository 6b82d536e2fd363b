import { randomUUID } from 'node:crypto';
import type { StartedProposal, StartedVersion, TextDetail } from '#features/texts/contract.ts';
import type { Person } from './people.ts';

export interface ScriptSent<S> {
  status: number;
  key: string;
  body: S & { error?: string; code?: string };
}

/** Requests a script: a scene in a style, with any other fields of the body. */
export async function writeScript(
  person: Pick<Person, 'send'>,
  scene: string,
  more: Record<string, unknown> = {},
  key: string = randomUUID(),
): Promise<ScriptSent<StartedVersion>> {
  const body = { scene, style: 'drama', ...more };
  const response = await person.send('POST', '/api/scripts', body, { 'idempotency-key': key });
  return {
    status: response.status,
    key,
    body: (await response.json()) as ScriptSent<StartedVersion>['body'],
  };
}

/** Requests a rewrite of a part of a script. */
export async function rewrite(
  person: Pick<Person, 'send'>,
  workId: string,
  body: Record<string, unknown>,
  key: string = randomUUID(),
): Promise<ScriptSent<StartedProposal>> {
  const response = await person.send('POST', `/api/scripts/${workId}/rewrites`, body, {
    'idempotency-key': key,
  });
  return {
    status: response.status,
    key,
    body: (await response.json()) as ScriptSent<StartedProposal>['body'],
  };
}

export async function openScript(person: Pick<Person, 'get'>, id: string, query = ''): Promise<TextDetail> {
  return (await (await person.get(`/api/works/${id}${query}`)).json()) as TextDetail;
}
