import { createContext } from 'react';

export interface ShellParts {
  consent: string;
  header: string;
  footer: string;
  signIn: string;
}

/** Only available on the server; empty in the browser. */
export interface RequestInfo {
  /** Only on app pages: public pages are cached, so their policy allows scripts by hash. */
  nonce?: string;
  requestId?: string;
  shell?: ShellParts;
  /** Inline script that runs before the first paint. */
  firstScript?: string;
  enhanceUrl?: string;
}

export const RequestInfoContext = createContext<RequestInfo>({});
