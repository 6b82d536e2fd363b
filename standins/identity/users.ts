/** The people who can sign in: a fixed few, each with what is special about it, and anybody by address. */
import { createHash } from 'node:crypto';
import { type Params, Refusal } from './request.ts';

export type ProviderName = 'google' | 'github';

export interface Person {
  /** Google's sub, or GitHub's id in decimal digits. */
  subject: string;
  /** GitHub's user name. */
  login: string;
  name: string;
  email: string | null;
  verified: boolean;
  /** On GitHub the address is not in the profile. */
  hidden: boolean;
  /** A whole address, or a path of this server. */
  picture: string;
}

interface TestUser extends Omit<Person, 'subject' | 'login' | 'picture'> {
  /** The value of the field `user`, and GitHub's login. */
  key: string;
  about: string;
  picture?: string;
}

export const TEST_USERS: readonly TestUser[] = [
  {
    key: 'ada',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    verified: true,
    hidden: false,
    about: 'Verified address',
  },
  {
    key: 'grace',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    verified: true,
    hidden: true,
    about: 'Verified address, kept private on GitHub',
  },
  {
    key: 'unverified',
    name: 'Una Verified',
    email: 'unverified@example.com',
    verified: false,
    hidden: true,
    about: 'Address not verified',
  },
  {
    key: 'nomail',
    name: 'Noe Mail',
    email: null,
    verified: false,
    hidden: true,
    about: 'The provider knows no e-mail',
  },
  {
    key: 'mallory',
    name: '<b onclick="alert(1)">Mallory</b> & "sons"',
    email: 'mallory@example.com',
    verified: true,
    hidden: false,
    picture: 'http://127.0.0.1:9/avatar.svg',
    about: 'Verified address; markup in the name, a picture that must never be fetched',
  },
];

const MAX_CHARS = 500;

/** A stable subject for a key: 21 digits as Google's, or a positive number as GitHub's. */
function subjectFor(provider: ProviderName, key: string): string {
  const hash = createHash('sha256').update(`${provider} ${key.trim().toLowerCase()}`).digest('hex');
  if (provider === 'google') return `1${String(BigInt(`0x${hash}`) % 10n ** 20n).padStart(20, '0')}`;
  return String(Number.parseInt(hash.slice(0, 10), 16) + 1);
}

function typedSubject(provider: ProviderName, value: string): string {
  const good = provider === 'google' ? /^[\x21-\x7e]{1,255}$/ : /^[1-9]\d{0,14}$/;
  if (good.test(value)) return value;
  throw new Refusal(
    'invalid_request',
    provider === 'google'
      ? 'A subject of Google is up to 255 printable ASCII characters.'
      : 'A subject of GitHub is a positive number.',
  );
}

function otherPerson(provider: ProviderName, params: Params): Person {
  const email = params.get('email')?.trim() || null;
  const typed = params.get('subject')?.trim();
  const name = params.get('name') ?? email?.split('@')[0] ?? '';
  if ([email ?? '', name].some((text) => text.length > MAX_CHARS))
    throw new Refusal('invalid_request', `A name or an address has at most ${MAX_CHARS} characters here.`);
  if (!email && !typed) throw new Refusal('invalid_request', 'Type an address or a subject.');
  const subject = typed ? typedSubject(provider, typed) : subjectFor(provider, email!);
  const local = (email?.split('@')[0] ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return {
    subject,
    login: local.replace(/^-+|-+$/g, '').slice(0, 39) || `user-${subject.slice(-9)}`,
    name,
    email,
    verified: !['', '0', 'false'].includes(params.get('verified') ?? ''),
    hidden: false,
    picture: '/identity/pictures/other.svg',
  };
}

/**
 * The person that a form chose: `user` is a key of TEST_USERS, or `other` with the fields email, verified, name and
 * subject. Throws Refusal invalid_request.
 */
export function chosenPerson(provider: ProviderName, params: Params): Person {
  const key = params.get('user');
  if (key === 'other') return otherPerson(provider, params);
  const user = TEST_USERS.find((candidate) => candidate.key === key);
  if (!user) throw new Refusal('invalid_request', `There is no test user "${key ?? ''}".`);
  return {
    subject: subjectFor(provider, user.email ?? user.key),
    login: user.key,
    name: user.name,
    email: user.email,
    verified: user.verified,
    hidden: user.hidden,
    picture: user.picture ?? `/identity/pictures/${user.key}.svg`,
  };
}

/** True when a hint of the client (an address, a subject, a login) means this test user. */
export function isMeant(provider: ProviderName, user: TestUser, hint: string | null): boolean {
  const meant = hint?.toLowerCase();
  return [user.email, user.key, subjectFor(provider, user.email ?? user.key)].some(
    (value) => value !== null && value === meant,
  );
}
