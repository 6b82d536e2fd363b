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
  /** Of a PDF. */
  paper: Paper;
}

interface TitleFacts {
  title: string;
  /** As its owner says, '' for nobody; null: as the text says, else the account's name. */
  author: string | null;
  name: string;
  date: string;
}

const renderers: Record<ScriptFormat, (script: Screenplay, paper: Paper) => string | Promise<Buffer>> = {
  fountain: writeFountain,
  fdx: finalDraftXml,
  // Loaded when it is asked for: the maker of PDF is large.
  pdf: async (script, paper) => (await import('./script-pdf.server.ts')).renderScriptPdf(script, paper),
  txt: screenplayText,
  md: screenplayMarkdown,
};

const keys = ['Title', 'Credit', 'Author', 'Draft date'];

/** What the text says itself stays, but for what its owner says elsewhere: its title and its author. */
export function withTitlePage(script: Screenplay, facts: TitleFacts): Screenplay {
  const known = (key: string) =>
    script.title.find((entry) => new RegExp(`^${key}s?$`, 'i').test(entry.key) && entry.values.length > 0);
  const author = facts.author ?? facts.name;
  const given: Record<string, string> = {
    Title: facts.title,
    Credit: author === '' ? '' : 'Written by',
    Author: author,
    'Draft date': facts.date,
  };
  const front = keys.flatMap((key): TitleEntry[] => {
    const decided = key === 'Title' || (key === 'Author' && facts.author !== null);
    const values = (decided ? undefined : known(key)?.values) ?? [given[key] ?? ''].filter(Boolean);
    return values.length > 0 ? [{ key, values }] : [];
  });
  const rest = script.title.filter(
    ({ key }) => !keys.some((each) => new RegExp(`^${each}s?$`, 'i').test(key)),
  );
  return { title: [...front, ...rest], blocks: script.blocks };
}

/**
 * A long script takes seconds of a processor: run it in a process of its own. @throws UnprintableText, TooManyPages.
 */
export const renderScriptFile = async ({
  format,
  source,
  facts,
  paper,
}: ScriptFileTask): Promise<string | Buffer> =>
  renderers[format](withTitlePage(parseFountain(source), facts), paper);
