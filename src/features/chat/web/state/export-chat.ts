import { download } from '#client/download.ts';
import { m } from '#messages';

export const chatExports = [
  { format: 'md', name: () => m.chat_export_markdown() },
  { format: 'json', name: () => m.chat_export_json() },
] as const;

export const exportChat = (chatId: string, format: 'md' | 'json') =>
  void download(`/api/chats/${chatId}/export?format=${format}`);
