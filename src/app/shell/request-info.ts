import { createContext } from 'react';

/** The content of what surrounds every page, as HTML. */
export interface ShellParts {
  consent: string;
  header: string;
  footer: string;
  signIn: string;
}

/** What only the server knows of the request that it renders; empty in the browser. */
export interface RequestInfo {
  /** Given on app pages only: public pages are cached, and their scripts go by hash. */
  nonce?: string;
  requestId?: string;
  shell?: ShellParts;
  /** The small module of every page, in the language of the request. */
  enhanceUrl?: string;
}

export const RequestInfoContext = createContext<RequestInfo>({});
