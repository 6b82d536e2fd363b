import type { RenderedMessage } from '#features/shares/contract.ts';

export const keptLimits = {
  chats: 20,
  /** The newest ones of each chat. */
  messages: 60,
  /** UTF-8 bytes of the text of one chat. */
  chatBytes: 262_144,
  /** Of all chats that a browser keeps, as stored. */
  bytes: 8 * 1024 * 1024,
  /** Days without contact to the server after which kept chats are no longer shown. */
  days: 14,
  /** Chats that may be fetched per hour. */
  hourly: 300,
} as const;

/** IndexedDB database. */
export const keptDatabase = 'offline-chats';
/** Key in the browser's local store: id of the user whose chats are kept, or `off` if the user does not want it. */
export const keepingKey = 'offline-reading';

export interface KeptHead {
  id: string;
  title: string;
  updatedAt: string;
  /** Changes whenever anything that is shown may differ. */
  version: string;
}

/**
 * `GET /api/devices/chats?opened=`: chats worth keeping, and the key that encrypts them. `opened`: comma-separated ids
 * of chats that were opened in this browser; they may be older.
 */
export interface DeviceChats {
  /** User id. */
  owner: string;
  /** 256 bits, base64url; for this session only. */
  key: string;
  keyId: string;
  chats: KeptHead[];
}

/** `GET /api/devices/chats/:id`. */
export interface KeptContent {
  messages: RenderedMessage[];
  /** There are earlier messages. */
  cut: boolean;
}

/** Key in the browser's local store: id of the user for whom this browser gets notifications. */
export const notifyingKey = 'notifications';

export const notificationLimits = {
  /** Browsers per user; the one that was switched on first is removed. */
  devices: 10,
  /** Runs per user that are announced in an hour. */
  hourly: 60,
} as const;

/** `GET /api/devices/notifications`. */
export interface DeviceNotifications {
  /** User id. */
  owner: string;
  /** The site's public key, to which a browser binds its subscription; base64url. */
  publicKey: string;
  /** This session has a subscription. */
  on: boolean;
}

/** Payload of a push message. */
export interface WorkNotification {
  title: string;
  body: string;
  /** Page that shows the work. */
  path: string;
  language: string;
  dir: 'ltr' | 'rtl';
  /** Show it even if a page of the site is visible: Safari revokes the permission of sites that show nothing. */
  always: boolean;
}
