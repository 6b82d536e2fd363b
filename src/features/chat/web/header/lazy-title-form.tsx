import { lazy, Suspense } from 'react';
import type { ChatTitleFormProps } from './chat-title-form.tsx';

const ChatTitleForm = lazy(() => import('./chat-title-form.tsx'));

export const LazyTitleForm = (props: ChatTitleFormProps) => (
  <Suspense fallback={<span className={props.className}>{props.title}</span>}>
    <ChatTitleForm {...props} />
  </Suspense>
);
