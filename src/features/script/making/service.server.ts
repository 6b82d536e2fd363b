import { finalDraft } from '../../../shared/fountain/fdx.ts';
import { markdownText } from '../../../shared/fountain/markdown.ts';
import type { Screenplay, TitleEntry } from '../../../shared/fountain/model.ts';
import { parseFountain } from '../../../shared/fountain/parse.ts';
import { formattedText } from '../../../shared/fountain/text.ts';
import { writeFountain } from '../../../shared/fountain/write.ts';
import type { ScriptFormat } from '../contract.ts';

/** A script that is to be a file. */
export interface ScriptJob {
  kind: 'script';
  format: ScriptFormat;
  source: string;
  facts: Facts;
}

interface Facts {
  title: string;
  author: string;
  /** ISO 8601. */
  date: string;
}

const makers: Record<ScriptFormat, (script: Screenplay) => string | Promise<Buffer>> = {
  fountain: writeFountain,
  fdx: finalDraft,
  // Read when it is asked for: the maker of PDF is large.
  pdf: async (script) => (await import('../pdf/service.server.ts')).printed(script),
  txt: formattedText,
  md: markdownText,
};

const keys = ['Title', 'Credit', 'Author', 'Draft date'];

/** The title page with what the format's readers look for; what the text says itself stays, but for its title. */
export function titled(script: Screenplay, facts: Facts): Screenplay {
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
 * The file of a script; a long one takes seconds of a processor, so it belongs in a process of its own.
 * @throws Problem bad_request for what the format cannot hold.
 */
export const scriptFile = async ({ format, source, facts }: ScriptJob): Promise<string | Buffer> =>
  makers[format](titled(parseFountain(source), facts));
