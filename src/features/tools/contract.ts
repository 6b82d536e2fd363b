import type { Me } from '#features/accounts/contract.ts';
import type { Article } from '#features/blog/contract.ts';

/** What the landing of a tool's page tells guests that is not in the table of tools. */
export interface GuestFacts {
  /** Runs that Pro has a UTC day; null where nothing is counted. */
  fairUse: number | null;
  articles: Pick<Article, 'slug' | 'title' | 'section' | 'words'>[];
}

/** What the loader of a tool's page gives: its path begins something, `path/:id` is one of the person's works. */
export interface ToolData<Work, List> {
  me: Me | null;
  /** null for whoever is signed in: they see the tool and nothing else. */
  guest: GuestFacts | null;
  /** The work that the address names. */
  opened: Work | null;
  /** The address names one that is not there, or is somebody else's. */
  missing: boolean;
  list: List;
}
