import { type ComponentType, createContext, type ReactNode } from 'react';

export interface CodeProps {
  code: string;
  info: string;
  /** The closing fence has come: only then is the code coloured. */
  closed: boolean;
}

export interface LinkProps {
  href: string;
  text: string | null;
  children: ReactNode;
}

export interface TextSources {
  /** Addresses, in the order of their numbers. */
  urls: readonly string[];
  /** Id of the element that the mark of a number leads to. */
  idOf: (number: number) => string;
}

/** What `[1]` in a text stands for; null without any. */
export const SourcesOfText = createContext<TextSources | null>(null);

/** Other components for a page without React, whose buttons no script of ours brings to life. */
export const MarkdownParts = createContext<{
  Code: ComponentType<CodeProps>;
  Link: ComponentType<LinkProps>;
} | null>(null);
