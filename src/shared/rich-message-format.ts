import { createElement, Fragment, type ReactNode } from 'react';
import { messageFormat } from './message-format.ts';

/** `Read the <link>terms</link>.` */
export const richMessageFormat = {
  ...messageFormat,
  join: (...parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts),
};
