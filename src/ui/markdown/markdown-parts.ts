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

/** Other components for a page without React, whose buttons no script of ours brings to life. */
export const MarkdownParts = createContext<{
  Code: ComponentType<CodeProps>;
  Link: ComponentType<LinkProps>;
} | null>(null);
