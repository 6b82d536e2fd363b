import { createContext } from 'react';

export interface ShellParts {
  consent: string;
  header: string;
  footer: string;
  signIn: string;
}

/** Known to the server alone; empty in the browser. */
export interface RequestInfo {
  /** Given on app pages only: public pages are cached, and their scripts go by hash. */
  nonce?: string;
  requestId?: string;
  shell?: ShellParts;
  /** Runs before the first paint. */
  firstScript?: string;
  enhanceUrl?: string;
}

export const RequestInfoContext = createContext<RequestInfo>({});
