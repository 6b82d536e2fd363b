import { type ComponentType, createContext, type ReactNode } from 'react';

export interface CodeProps {
  code: string;
  info: string;
  /** Whether the closing fence has arrived; only then is the code highlighted. */
  closed: boolean;
}

export interface LinkProps {
  href: string;
  text: string | null;
  children: ReactNode;
}

export interface TextSources {
  /** Addresses in the order of their numbers. */
  urls: readonly string[];
  /** Returns the id of the element that a number links to. */
  idOf: (number: number) => string;
}

/** The sources that marks like `[1]` refer to; null if there are none. */
export const SourcesOfText = createContext<TextSources | null>(null);

/** Replacement components for pages without React, whose buttons would not work. */
export const MarkdownParts = createContext<{
  Code: ComponentType<CodeProps>;
  Link: ComponentType<LinkProps>;
} | null>(null);
