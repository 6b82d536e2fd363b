import { useState } from 'react';
import SearchDialog from '#features/library/web/search-dialog.tsx';
import type { SearchResult } from '#features/library/web/search-result-row.tsx';
import { m } from '#messages';
import type { ChatRow } from '../contract.ts';
import type { ChatProps } from './state/chat-controls.ts';

const recentCount = 8;

const toResult = ({ id, title, updatedAt }: ChatRow): SearchResult => ({
  key: id,
  to: `/chat/${id}`,
  title: [{ text: title, hit: false }],
  role: null,
  excerpt: [],
  at: updatedAt,
  archived: false,
  kind: null,
});

/** Focuses the header's button if the search was opened from the drawer, which is closed now. */
function returnFocus() {
  const active = document.activeElement;
  if (!active || active === document.body || !active.checkVisibility())
    document.querySelector<HTMLElement>('.chat-head button')?.focus();
}

export default function ChatSearch({ state, controls }: ChatProps) {
  const [recent] = useState(() => state.chats.slice(0, recentCount).map(toResult));
  const onEnd = () => {
    controls.show(null);
    returnFocus();
  };
  return (
    <SearchDialog
      recent={recent}
      recentName={m.chat_recent()}
      recentEmptyText={m.chat_recent_empty()}
      onEnd={onEnd}
    />
  );
}
