import type { Me } from '#features/accounts/contract.ts';
import type { Article } from '#features/blog/contract.ts';

export interface GuestFacts {
  /** Runs per UTC day on Pro; null if they are not counted. */
  fairUse: number | null;
  articles: Pick<Article, 'slug' | 'title' | 'section' | 'words'>[];
}

export interface ToolData<Work, List> {
  me: Me | null;
  guest: GuestFacts | null;
  opened: Work | null;
  /** `:id` names no work, or another person's. */
  missing: boolean;
  list: List;
}
