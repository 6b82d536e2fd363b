import { finalDraftXml } from '#shared/fountain/final-draft.ts';
import { screenplayText } from '#shared/fountain/formatted-text.ts';
import { parseFountain } from '#shared/fountain/parse-fountain.ts';
import type { Screenplay, TitleEntry } from '#shared/fountain/screenplay.ts';
import { screenplayMarkdown } from '#shared/fountain/screenplay-markdown.ts';
import { writeFountain } from '#shared/fountain/write-fountain.ts';
import type { Paper } from '#shared/paper.ts';
import type { ScriptFormat } from './contract.ts';

export interface ScriptFileTask {
  kind: 'script';
  format: ScriptFormat;
  source: string;
  facts: TitleFacts;
  /** Used for PDF only. */
  paper: Paper;
}

interface TitleFacts {
  title: string;
  /** The owner's choice, '' for none; null: the author in the text, else the account's name. */
  author: string | null;
  name: string;
  date: string;
}

const renderers: Record<ScriptFormat, (script: Screenplay, paper: Paper) => string | Promise<Buffer>> = {
  fountain: writeFountain,
  fdx: finalDraftXml,
  // Loaded on demand, because the PDF library is large.
  pdf: async (script, paper) => (await import('./script-pdf.server.ts')).renderScriptPdf(script, paper),
  txt: screenplayText,
  md: screenplayMarkdown,
};

const keys = ['Title', 'Credit', 'Author', 'Draft date'];

/** Keeps the script's own title page, except for a title and author that its owner has set elsewhere. */
export function withTitlePage(script: Screenplay, facts: TitleFacts): Screenplay {
  const existing = (key: string) =>
    script.title.find((entry) => new RegExp(`^${key}s?$`, 'i').test(entry.key) && entry.values.length > 0);
  const author = facts.author ?? facts.name;
  const defaults: Record<string, string> = {
    Title: facts.title,
    Credit: author === '' ? '' : 'Written by',
    Author: author,
    'Draft date': facts.date,
  };
  const front = keys.flatMap((key): TitleEntry[] => {
    const setByOwner = key === 'Title' || (key === 'Author' && facts.author !== null);
    const values = (setByOwner ? undefined : existing(key)?.values) ?? [defaults[key] ?? ''].filter(Boolean);
    return values.length > 0 ? [{ key, values }] : [];
  });
  const rest = script.title.filter(
    ({ key }) => !keys.some((each) => new RegExp(`^${each}s?$`, 'i').test(key)),
  );
  return { title: [...front, ...rest], blocks: script.blocks };
}

/** Run it in a separate process: a long script takes seconds of CPU time. @throws UnprintableText, TooManyPages. */
export const renderScriptFile = async ({
  format,
  source,
  facts,
  paper,
}: ScriptFileTask): Promise<string | Buffer> =>
  renderers[format](withTitlePage(parseFountain(source), facts), paper);
