import { keepingKey, keptDatabase, keptLimits, notifyingKey } from '#features/devices/contract.ts';
import { consentKey, type OptionalCategory } from '#shared/consent.ts';

export interface StoredItem {
  /** `*` stands for an identifier. Over https the names of cookies begin with `__Host-`. */
  name: string;
  kind: 'cookie' | 'local storage' | 'session storage' | 'database' | 'cache';
  category: 'essential' | OptionalCategory;
  purpose: string;
  lifetime: string;
  /** Max-Age of a cookie, in seconds; tests hold it equal to what is set. */
  maxAge?: number;
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** Tests compare it with what is really set. */
export const storedItems: StoredItem[] = [
  {
    name: 'session',
    kind: 'cookie',
    category: 'essential',
    purpose: 'Keeps you signed in. Scripts cannot read it.',
    lifetime:
      '30 days from the last use, and of no use 180 days after the sign-in; removed when you sign out',
    maxAge: 30 * DAY,
  },
  {
    name: 'sign-in',
    kind: 'cookie',
    category: 'essential',
    purpose: 'Tells that a sign-in is completed in the browser in which it was begun.',
    lifetime: '15 minutes',
    maxAge: 15 * MINUTE,
  },
  {
    name: 'device',
    kind: 'cookie',
    category: 'essential',
    purpose:
      'Tells that you have signed in by mail here before, so that nobody else can use up the mails to your address. It holds a code made from the address, not the address itself.',
    lifetime: '180 days from the last sign-in by mail',
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
    purpose: 'The language that you chose.',
    lifetime: '12 months',
    maxAge: 365 * DAY,
  },
  {
    name: consentKey,
    kind: 'local storage',
    category: 'essential',
    purpose: 'Your choice about cookies, its date and version.',
    lifetime: 'counts for 12 months',
  },
  {
    name: 'theme',
    kind: 'local storage',
    category: 'essential',
    purpose: 'The theme that you chose: light, dark or system.',
    lifetime: 'until you choose another or clear it',
  },
  {
    name: 'sidebar',
    kind: 'local storage',
    category: 'essential',
    purpose: 'That you have hidden the sidebar of the chat.',
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
    purpose: 'Which temporary chat this tab shows, so that it is erased once you have left it.',
    lifetime: 'until the chat is left or the tab is closed',
  },
  {
    name: 'sign-in-mail',
    kind: 'session storage',
    category: 'essential',
    purpose: 'The address to which a sign-in mail was sent, so that its code can be typed on any page.',
    lifetime: '15 minutes; removed when you sign in or close the tab',
  },
  {
    name: 'draft:*',
    kind: 'local storage',
    category: 'essential',
    purpose:
      'What you typed in a chat or in the form of a tool and have not sent, with the number of your account, so that it is shown to nobody else who signs in; of a file that you attached its name, size and number, not the file.',
    lifetime:
      'until it is sent or you sign out; what is older than 30 days is removed on the next visit to the chat',
  },
  {
    name: 'pending-send',
    kind: 'local storage',
    category: 'essential',
    purpose: 'A message that waits for you to sign in, so that it is sent once, and for nobody else.',
    lifetime: 'until it is sent or you sign out; not sent after 30 minutes',
  },
  {
    name: keepingKey,
    kind: 'local storage',
    category: 'essential',
    purpose:
      'That you keep chats on this device for reading offline, with the number of your account, or that you do not want it.',
    lifetime: 'until you switch it off or sign out; that you do not want it until you clear it',
  },
  {
    name: keptDatabase,
    kind: 'database',
    category: 'essential',
    purpose:
      'Only in the installed app, or where you switched on offline reading: your most recent chats, encrypted, with the key of your session.',
    lifetime: `until you switch it off, sign out or your session ends; of no use ${keptLimits.days} days after the last visit`,
  },
  {
    name: notifyingKey,
    kind: 'local storage',
    category: 'essential',
    purpose:
      'That this browser takes notifications for you, with the number of your account. The browser itself keeps the subscription at its push service.',
    lifetime: 'until you switch them off, sign out or your session ends',
  },
  {
    name: 'offline-*',
    kind: 'cache',
    category: 'essential',
    purpose:
      'Only in the installed app, or where you switched on offline reading or notifications: the page that is shown while you are offline, which holds nothing about you, and the service worker that shows it.',
    lifetime: 'until the next version of the site, or you clear it',
  },
  {
    name: 'continue-share',
    kind: 'session storage',
    category: 'essential',
    purpose:
      'The shared page whose chat you wanted to continue, so that it is copied once you have signed in.',
    lifetime: 'until it is copied or the tab is closed',
  },
  {
    name: 'shortcuts',
    kind: 'local storage',
    category: 'essential',
    purpose: 'That you turned the keyboard shortcuts of the chat off.',
    lifetime: 'until you turn them on again or clear it',
  },
  {
    name: 'images-running',
    kind: 'session storage',
    category: 'essential',
    purpose:
      'Numbers of the images that you had begun, so that you are told on other pages when they are done.',
    lifetime: 'until they are done, you sign out or close the tab',
  },
  {
    name: 'analyses-running',
    kind: 'session storage',
    category: 'essential',
    purpose:
      'Numbers and file names of the analyses that you had begun, so that you are told on other pages when they are done.',
    lifetime: 'until they are done, you sign out or close the tab',
  },
  {
    name: 'low-credits-told',
    kind: 'session storage',
    category: 'essential',
    purpose: 'That you were told that few credits are left, so that it is said once.',
    lifetime: 'until you sign out or close the tab',
  },
  {
    name: 'functional:writer',
    kind: 'local storage',
    category: 'functional',
    purpose: 'Type, tone and length of your last text in the AI Writer, with which the next one begins.',
    lifetime: 'until you withdraw your consent or clear it',
  },
];
