import { createElement, Fragment, type ReactNode } from 'react';
import { messageFormat } from './message-format.ts';

export const richMessageFormat = {
  ...messageFormat,
  join: (...parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts),
};
