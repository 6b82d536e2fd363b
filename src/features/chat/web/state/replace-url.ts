import type { useNavigate } from 'react-router';

let replacingWith: string | null = null;

/** Skips the loader, so that an arriving reply stays. */
export function replaceUrl(chatId: string, navigate: ReturnType<typeof useNavigate>): void {
  replacingWith = chatId;
  Promise.resolve(navigate(`/chat/${chatId}`, { replace: true })).finally(() => {
    if (replacingWith === chatId) replacingWith = null;
  });
}

export function clearFoundMessage(chatId: string, navigate: ReturnType<typeof useNavigate>): void {
  const { pathname, search } = location;
  if (pathname === `/chat/${chatId}` && new URLSearchParams(search).has('at')) replaceUrl(chatId, navigate);
}

export const isReplacingUrl = (chatId: string | undefined) =>
  chatId !== undefined && chatId === replacingWith;
