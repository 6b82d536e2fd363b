import type { UserActor } from '../../../platform/http/actor.server.ts';
import { Problem } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { makeFile } from '../../../platform/office/maker.server.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import { me } from '../../accounts/users/service.server.ts';
import { openWork } from '../../works/service.server.ts';
import type { ScriptFormat } from '../contract.ts';
import type { ScriptJob } from '../making/service.server.ts';

const LIMIT = { max: 120, seconds: 3600 };
const LIMIT_TEXT = 'You have downloaded many scripts in the last hour. Please wait a while.';

const types: Record<ScriptFormat, string> = {
  fountain: 'text/plain; charset=utf-8',
  fdx: 'application/xml; charset=utf-8',
  pdf: 'application/pdf',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
};

const isFormat = (format: string): format is ScriptFormat => Object.hasOwn(types, format);

/**
 * A version of a script as a file; the newest one unless told.
 * @throws Problem not_found, bad_request for another format and what it cannot hold, conflict without text, rate_limited,
 * too_large, unavailable.
 */
export async function downloadScript({
  actor,
  input: { id, version, format },
}: {
  actor: UserActor;
  input: { id: string; version?: string; format: string };
}): Promise<{ name: string; type: string; content: Uint8Array<ArrayBuffer> }> {
  if (!isFormat(format)) throw new Problem('bad_request', 'The format is fountain, fdx, pdf, txt or md.');
  const work = await openWork({ actor, input: { id, version, feature: 'script' } });
  if (work.version.content === '') throw new Problem('conflict', 'This script has no text yet.');
  await enforceLimit(`script-export:${actor.userId}`, LIMIT, LIMIT_TEXT);
  const { name } = await me({ actor });
  const facts = { title: work.title, author: name, date: work.version.savedAt.slice(0, 10) };
  const job: ScriptJob = { kind: 'script', format, source: work.version.content, facts };
  const content = await makeFile(job, actor.userId);
  const title = work.title.replace(/[\\/:*?"<>|]+/g, '-').replace(/[. …]+$/, '');
  return { name: `${cleanFileName(title)}.${format}`, type: types[format], content };
}
