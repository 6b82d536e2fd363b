import type { useNavigate } from 'react-router';

/** The chat whose address the page is taking on while it goes on showing what it shows. */
let adopting: string | null = null;

/**
 * Gives the page the address of the chat that it has just begun, without asking the loader: what is shown, and the
 * reply that is arriving, stay as they are.
 */
export function adopt(chatId: string, navigate: ReturnType<typeof useNavigate>): void {
  adopting = chatId;
  Promise.resolve(navigate(`/chat/${chatId}`, { replace: true, preventScrollReset: true })).finally(() => {
    if (adopting === chatId) adopting = null;
  });
}

/** Takes the message that a search hit asked for out of the chat's address: a reload shows the end again. */
export function leaveFound(chatId: string, navigate: ReturnType<typeof useNavigate>): void {
  const { pathname, search } = location;
  if (pathname === `/chat/${chatId}` && new URLSearchParams(search).has('at')) adopt(chatId, navigate);
}

/** Whether a navigation to this chat only takes on its address. */
export const isAdopting = (chatId: string | undefined) => chatId !== undefined && chatId === adopting;
