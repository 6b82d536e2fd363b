import { Suspense } from 'react';
import { onceLoaded } from '#client/once-loaded.ts';
import type { ChatProps } from '../state/chat-controls.ts';

const [load, useMessageList] = onceLoaded(async () => (await import('./message-list.tsx')).MessageList);

/** A new chat has no messages, so their code loads with the first key or press. */
export { load as loadMessageList };

export function LazyMessageList(props: ChatProps) {
  return (
    <Suspense>
      <LoadedMessageList {...props} />
    </Suspense>
  );
}

function LoadedMessageList(props: ChatProps) {
  const List = useMessageList();
  return <List {...props} />;
}
