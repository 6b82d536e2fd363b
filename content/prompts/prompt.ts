/** A prompt of the library's own collection. Variables are written as in `src/shared/parse-prompt.ts`. */
export interface CuratedPrompt {
  /** Stands in the address of its page: it stays as it is. */
  slug: string;
  title: string;
  /** One line: what one gets. */
  description: string;
  category: 'writing' | 'programming' | 'image' | 'marketing';
  /** Part of Pro: others see its title and first lines. */
  pro?: true;
  /** It is about pictures, but its answer is a text: it opens in the chat. */
  givesText?: true;
  /** Other words that the search knows it by, in lower case. */
  tags: string[];
  /**
   * What an editor who has read and tried this prompt gives it, from 0 to 5, and why. Most have none. It is shown until
   * enough people have rated the prompt.
   */
  editorRating?: { value: number; reason: string };
  content: string;
}

/** A prompt of one category; its tags stand in `tags.ts`. */
export type CuratedEntry = Omit<CuratedPrompt, 'category' | 'tags'>;
