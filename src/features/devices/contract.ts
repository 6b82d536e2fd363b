import type { RenderedMessage } from '#features/shares/contract.ts';

export const keptLimits = {
  chats: 20,
  /** The end of each chat. */
  messages: 60,
  /** UTF-8 of the text of one chat. */
  chatBytes: 262_144,
  /** Of all that a browser keeps, as it is stored. */
  bytes: 8 * 1024 * 1024,
  /** Days without a word from the server after which what is kept is shown no more. */
  days: 14,
  /** Chats that are asked for in an hour. */
  hourly: 300,
} as const;

/** Database of the browser. */
export const keptDatabase = 'offline-chats';
/** In the browser's local store: whose chats are kept (a user's id), or `off` where the person does not want it. */
export const keepingKey = 'offline-reading';

export interface KeptHead {
  id: string;
  title: string;
  updatedAt: string;
  /** Another one as soon as anything of what is shown may differ. */
  version: string;
}

/**
 * `GET /api/devices/chats?opened=`: which chats are worth keeping, and what seals them. `opened` are ids, with commas, of
 * chats that were opened here and may be older.
 */
export interface DeviceChats {
  /** User id. */
  owner: string;
  /** 256 bits, base64url; of this session alone. */
  key: string;
  keyId: string;
  chats: KeptHead[];
}

/** `GET /api/devices/chats/:id`. */
export interface KeptContent {
  messages: RenderedMessage[];
  /** There are messages before these. */
  cut: boolean;
}

/** In the browser's local store: for whom it takes notifications (a user's id). */
export const notifyingKey = 'notifications';

export const notificationLimits = {
  /** Browsers of a person; the one that was switched on first gives way. */
  devices: 10,
  /** Runs of a person that are told of in an hour. */
  hourly: 60,
} as const;

/** `GET /api/devices/notifications`. */
export interface DeviceNotifications {
  /** User id. */
  owner: string;
  /** The site's key, to which a browser binds its subscription; base64url. */
  publicKey: string;
  /** This session has a subscription. */
  on: boolean;
}

/** What a push holds. */
export interface WorkNotification {
  title: string;
  body: string;
  /** Of the page that shows the work. */
  path: string;
  language: string;
  dir: 'ltr' | 'rtl';
  /** Also while a page of the site is looked at: Safari takes the permission away from who shows nothing. */
  always: boolean;
}
