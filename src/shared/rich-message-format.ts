import { createElement, Fragment, type ReactNode } from 'react';
import { messageFormat } from './message-format.ts';

/** For messages with elements in them: `Read the <link>terms</link>.` */
export const richMessageFormat = {
  ...messageFormat,
  join: (...parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts),
};
