import type { useNavigate } from 'react-router';

let adopting: string | null = null;

/** Skips the loader, so that an arriving reply stays. */
export function replaceUrl(chatId: string, navigate: ReturnType<typeof useNavigate>): void {
  adopting = chatId;
  Promise.resolve(navigate(`/chat/${chatId}`, { replace: true })).finally(() => {
    if (adopting === chatId) adopting = null;
  });
}

export function clearFoundMessage(chatId: string, navigate: ReturnType<typeof useNavigate>): void {
  const { pathname, search } = location;
  if (pathname === `/chat/${chatId}` && new URLSearchParams(search).has('at')) replaceUrl(chatId, navigate);
}

export const isReplacingUrl = (chatId: string | undefined) => chatId !== undefined && chatId === adopting;
