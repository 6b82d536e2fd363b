import { keepingKey, keptDatabase, keptLimits, notifyingKey } from '#features/devices/contract.ts';
import { consentKey, type OptionalCategory } from '#shared/consent.ts';

export interface StoredItem {
  /** `*` means an identifier. Over HTTPS, cookie names have the prefix `__Host-`. */
  name: string;
  kind: 'cookie' | 'local storage' | 'session storage' | 'database' | 'cache';
  category: 'essential' | OptionalCategory;
  purpose: string;
  lifetime: string;
  /** Max-Age of a cookie in seconds; tests compare it with the cookie that is set. */
  maxAge?: number;
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** Everything that the site stores in browsers; tests compare it with what is actually stored. */
export const storedItems: StoredItem[] = [
  {
    name: 'session',
    kind: 'cookie',
    category: 'essential',
    purpose: 'Keeps you signed in. Scripts cannot read it.',
    lifetime:
      '30 days from the last use, and no longer valid 180 days after you signed in; removed when you sign out',
    maxAge: 30 * DAY,
  },
  {
    name: 'sign-in',
    kind: 'cookie',
    category: 'essential',
    purpose: 'Shows that a sign-in is completed in the same browser it was started in.',
    lifetime: '15 minutes',
    maxAge: 15 * MINUTE,
  },
  {
    name: 'device',
    kind: 'cookie',
    category: 'essential',
    purpose:
      'Shows that you have signed in by email here before, so that nobody else can use up the emails to your address. It holds a code made from the address, not the address itself.',
    lifetime: '180 days from your last sign-in by email',
    maxAge: 180 * DAY,
  },
  {
    name: 'restore',
    kind: 'cookie',
    category: 'essential',
    purpose: 'Lets you restore a deleted account after you have signed in to it.',
    lifetime: '15 minutes',
    maxAge: 15 * MINUTE,
  },
  {
    name: 'language',
    kind: 'cookie',
    category: 'essential',
    purpose: 'The language you chose.',
    lifetime: '12 months',
    maxAge: 365 * DAY,
  },
  {
    name: consentKey,
    kind: 'local storage',
    category: 'essential',
    purpose: 'Your choice about cookies, its date and version.',
    lifetime: '12 months',
  },
  {
    name: 'theme',
    kind: 'local storage',
    category: 'essential',
    purpose: 'The theme you chose: light, dark or system.',
    lifetime: 'until you choose another or clear it',
  },
  {
    name: 'sidebar',
    kind: 'local storage',
    category: 'essential',
    purpose: 'Remembers that you hid the chat sidebar.',
    lifetime: 'until you show it again',
  },
  {
    name: 'auth',
    kind: 'local storage',
    category: 'essential',
    purpose: 'Tells your open tabs that you have signed in.',
    lifetime: 'until you are signed out',
  },
  {
    name: 'temporary-chat',
    kind: 'session storage',
    category: 'essential',
    purpose: 'Which temporary chat this tab shows, so that it is erased once you leave it.',
    lifetime: 'until you leave the chat or close the tab',
  },
  {
    name: 'sign-in-mail',
    kind: 'session storage',
    category: 'essential',
    purpose: 'The address a sign-in email was sent to, so that you can enter its code on any page.',
    lifetime: '15 minutes; removed when you sign in or close the tab',
  },
  {
    name: 'draft:*',
    kind: 'local storage',
    category: 'essential',
    purpose:
      'What you typed in a chat or a tool’s form but have not sent, with your account’s ID, so that nobody else who signs in sees it; for an attached file, its name, size and ID, not the file.',
    lifetime:
      'until it is sent or you sign out; drafts older than 30 days are removed on your next visit to the chat',
  },
  {
    name: 'pending-send',
    kind: 'local storage',
    category: 'essential',
    purpose: 'A message waiting for you to sign in, so that it is sent only once and only for you.',
    lifetime: 'until it is sent or you sign out; not sent after 30 minutes',
  },
  {
    name: keepingKey,
    kind: 'local storage',
    category: 'essential',
    purpose: 'Whether you keep chats on this device for offline reading, with your account’s ID.',
    lifetime: 'if you do, until you turn it off or sign out; if you do not, until you clear it',
  },
  {
    name: keptDatabase,
    kind: 'database',
    category: 'essential',
    purpose:
      'Only in the installed app, or if you turned on offline reading: your most recent chats, encrypted, with your session’s key.',
    lifetime: `until you turn it off, sign out or your session ends; unreadable ${keptLimits.days} days after your last visit`,
  },
  {
    name: notifyingKey,
    kind: 'local storage',
    category: 'essential',
    purpose:
      'Remembers that this browser receives notifications for you, with your account’s ID. The browser itself keeps the subscription with its push service.',
    lifetime: 'until you turn them off, sign out or your session ends',
  },
  {
    name: 'offline-*',
    kind: 'cache',
    category: 'essential',
    purpose:
      'Only in the installed app, or if you turned on offline reading or notifications: the page shown while you are offline, which contains nothing about you, and the service worker that shows it.',
    lifetime: 'until the next version of the site, or you clear it',
  },
  {
    name: 'continue-share',
    kind: 'session storage',
    category: 'essential',
    purpose: 'The shared page whose chat you wanted to continue, so that it is copied once you sign in.',
    lifetime: 'until it is copied or the tab is closed',
  },
  {
    name: 'shortcuts',
    kind: 'local storage',
    category: 'essential',
    purpose: 'Remembers that you turned off the chat’s keyboard shortcuts.',
    lifetime: 'until you turn them on again or clear it',
  },
  {
    name: 'images-running',
    kind: 'session storage',
    category: 'essential',
    purpose: 'IDs of the images you started, so that other pages can tell you when they are done.',
    lifetime: 'until they are done, you sign out or close the tab',
  },
  {
    name: 'analyses-running',
    kind: 'session storage',
    category: 'essential',
    purpose:
      'IDs and file names of the analyses you started, so that other pages can tell you when they are done.',
    lifetime: 'until they are done, you sign out or close the tab',
  },
  {
    name: 'low-credits-told',
    kind: 'session storage',
    category: 'essential',
    purpose: 'Remembers that you have seen the low-credit notice, so that it appears only once.',
    lifetime: 'until you sign out or close the tab',
  },
  {
    name: 'functional:writer',
    kind: 'local storage',
    category: 'functional',
    purpose: 'Type, tone and length of your last draft in the AI Writer, used to start the next one.',
    lifetime: 'until you withdraw your consent or clear it',
  },
];
