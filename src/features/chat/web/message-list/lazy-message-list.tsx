import { lazy, Suspense, useState } from 'react';
import type { ChatProps } from '../state/chat-controls.ts';

let loaded: typeof import('./message-list.tsx') | undefined;

/** A new chat has no messages: their code comes with the first key or press. */
export const loadMessageList = async () => {
  loaded ??= await import('./message-list.tsx');
  return { default: loaded.MessageList };
};

const LaterMessageList = lazy(loadMessageList);

export function LazyMessageList(props: ChatProps) {
  return (
    <Suspense>
      <NowOrLater {...props} />
    </Suspense>
  );
}

/** Once it is loaded it is drawn at once: `lazy` would leave a frame without it. */
function NowOrLater(props: ChatProps) {
  const [List] = useState(() => loaded?.MessageList ?? LaterMessageList);
  return <List {...props} />;
}
