import { createHash } from 'node:crypto';
import { type Params, Refusal } from './authorize-request.ts';

export type ProviderName = 'google' | 'github';

export interface Person {
  /** Google's sub, or GitHub's id in decimal digits. */
  subject: string;
  login: string;
  name: string;
  email: string | null;
  verified: boolean;
  /** Whether GitHub omits the address from the profile. */
  hidden: boolean;
  picture: string;
}

interface TestUser extends Omit<Person, 'subject'> {
  about: string;
}

function testUser(
  login: string,
  [name, email, about]: [string, string | null, string],
  fields: Partial<TestUser> = {},
): TestUser {
  const picture = `/identity/pictures/${login}.svg`;
  return { login, name, email, about, verified: true, hidden: false, picture, ...fields };
}

const UNVERIFIED = { verified: false, hidden: true };

export const TEST_USERS: readonly TestUser[] = [
  testUser('ada', ['Ada Lovelace', 'ada@example.com', 'Verified address']),
  testUser('grace', ['Grace Hopper', 'grace@example.com', 'Verified address, kept private on GitHub'], {
    hidden: true,
  }),
  testUser('unverified', ['Una Verified', 'unverified@example.com', 'Address not verified'], UNVERIFIED),
  testUser('nomail', ['Noe Mail', null, 'The provider knows no e-mail'], UNVERIFIED),
  testUser(
    'mallory',
    [
      '<b onclick="alert(1)">Mallory</b> & "sons"',
      'mallory@example.com',
      'Verified address; markup in the name, a picture that must never be fetched',
    ],
    { picture: 'http://127.0.0.1:9/avatar.svg' },
  ),
];

const MAX_CHARS = 500;

/** Returns a stable id: 21 digits for Google, a positive number for GitHub. */
function subjectFor(provider: ProviderName, key: string): string {
  const hash = createHash('sha256').update(`${provider} ${key.trim().toLowerCase()}`).digest('hex');
  if (provider === 'google') return `1${String(BigInt(`0x${hash}`) % 10n ** 20n).padStart(20, '0')}`;
  return String(Number.parseInt(hash.slice(0, 10), 16) + 1);
}

const SUBJECTS = {
  google: [/^[\x21-\x7e]{1,255}$/, 'A subject of Google is up to 255 printable ASCII characters.'],
  github: [/^[1-9]\d{0,14}$/, 'A subject of GitHub is a positive number.'],
} as const;

function typedSubject(provider: ProviderName, value: string): string {
  const [pattern, problem] = SUBJECTS[provider];
  if (!pattern.test(value)) throw new Refusal('invalid_request', problem);
  return value;
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

export function chosenPerson(provider: ProviderName, params: Params): Person {
  const key = params.get('user');
  if (key === 'other') return otherPerson(provider, params);
  const user = TEST_USERS.find(({ login }) => login === key);
  if (!user) throw new Refusal('invalid_request', `There is no test user "${key ?? ''}".`);
  return { ...user, subject: subjectFor(provider, user.email ?? user.login) };
}

export function isSuggested(
  provider: ProviderName,
  { email, login }: TestUser,
  hint: string | null,
): boolean {
  const names = [email, login, subjectFor(provider, email ?? login)];
  return hint !== null && names.includes(hint.toLowerCase());
}
