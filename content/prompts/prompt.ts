/** A prompt of the library's own collection. Variables are written as in `src/shared/prompt-variables/parse.ts`. */
export interface CuratedPrompt {
  /** Stands in the address of its page: it stays as it is. */
  slug: string;
  title: string;
  /** One line: what one gets. */
  description: string;
  category: 'writing' | 'programming' | 'image' | 'marketing';
  /** Part of Pro: others see its title and first lines. */
  pro?: true;
  /** The editor's own, from 0 to 5; shown as such. */
  rating: number;
  content: string;
}

/** A prompt of one category, with the editor's usual rating. */
export type CuratedEntry = Omit<CuratedPrompt, 'category' | 'rating'> & { rating?: number };
