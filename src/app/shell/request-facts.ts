import { createContext } from 'react';

/** What only the server knows of the request that it renders; empty in the browser. */
export interface RequestFacts {
  /** Given on app pages only: public pages are cached, and their scripts go by hash. */
  nonce?: string;
  requestId?: string;
}

export const RequestFactsContext = createContext<RequestFacts>({});
