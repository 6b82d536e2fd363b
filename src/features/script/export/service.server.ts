import type { UserActor } from '../../../platform/http/actor.server.ts';
import { Problem } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import { finalDraft } from '../../../shared/fountain/fdx.ts';
import { markdownText } from '../../../shared/fountain/markdown.ts';
import type { Screenplay, TitleEntry } from '../../../shared/fountain/model.ts';
import { parseFountain } from '../../../shared/fountain/parse.ts';
import { formattedText } from '../../../shared/fountain/text.ts';
import { writeFountain } from '../../../shared/fountain/write.ts';
import { me } from '../../accounts/users/service.server.ts';
import { openWork } from '../../works/service.server.ts';
import type { ScriptFormat } from '../contract.ts';

const LIMIT = { max: 120, seconds: 3600 };
const LIMIT_TEXT = 'You have downloaded many scripts in the last hour. Please wait a while.';

const makers: Record<ScriptFormat, { type: string; make(script: Screenplay): string | Promise<Buffer> }> = {
  fountain: { type: 'text/plain; charset=utf-8', make: writeFountain },
  fdx: { type: 'application/xml; charset=utf-8', make: finalDraft },
  // Read when it is asked for: the maker of PDF is large.
  pdf: {
    type: 'application/pdf',
    make: async (script) => (await import('../pdf/service.server.ts')).printed(script),
  },
  txt: { type: 'text/plain; charset=utf-8', make: formattedText },
  md: { type: 'text/markdown; charset=utf-8', make: markdownText },
};

const keys = ['Title', 'Credit', 'Author', 'Draft date'];

/** The title page with what the format's readers look for; what the text says itself stays, but for its title. */
export function titled(
  script: Screenplay,
  facts: { title: string; author: string; date: string },
): Screenplay {
  const known = (key: string) =>
    script.title.find((entry) => new RegExp(`^${key}s?$`, 'i').test(entry.key) && entry.values.length > 0);
  const given: Record<string, string> = {
    Title: facts.title,
    Credit: 'Written by',
    Author: facts.author,
    'Draft date': facts.date,
  };
  const front = keys.map((key): TitleEntry => {
    const own = key === 'Title' ? undefined : known(key);
    return { key, values: own?.values ?? [given[key] ?? ''] };
  });
  const rest = script.title.filter(
    ({ key }) => !keys.some((each) => new RegExp(`^${each}s?$`, 'i').test(key)),
  );
  return { title: [...front, ...rest], blocks: script.blocks };
}

/**
 * A version of a script as a file; the newest one unless told.
 * @throws Problem not_found, bad_request for another format and what it cannot hold, conflict without text, rate_limited.
 */
export async function downloadScript({
  actor,
  input: { id, version, format },
}: {
  actor: UserActor;
  input: { id: string; version?: string; format: string };
}): Promise<{ name: string; type: string; content: string | Buffer }> {
  if (!Object.hasOwn(makers, format))
    throw new Problem('bad_request', 'The format is fountain, fdx, pdf, txt or md.');
  const work = await openWork({ actor, input: { id, version, feature: 'script' } });
  if (work.version.content === '') throw new Problem('conflict', 'This script has no text yet.');
  await enforceLimit(`script-export:${actor.userId}`, LIMIT, LIMIT_TEXT);
  const { name } = await me({ actor });
  const facts = { title: work.title, author: name, date: work.version.savedAt.slice(0, 10) };
  const { type, make } = makers[format as ScriptFormat];
  const content = await make(titled(parseFountain(work.version.content), facts));
  const title = work.title.replace(/[\\/:*?"<>|]+/g, '-').replace(/[. …]+$/, '');
  return { name: `${cleanFileName(title)}.${format}`, type, content };
}
