import type { Config } from '#platform/config/config.server.ts';
import { type Finding, notSet, ok, wrong } from './finding.ts';

interface Provider {
  name: string;
  path: string;
  id: string | undefined;
  secret: string | undefined;
  /** Whether the addresses are the real provider's: the form of ids is known only for it. */
  isOfficial: boolean;
  idForm: RegExp;
  secretForm: RegExp;
  console: string;
}

function listProviders(config: Config): Provider[] {
  return [
    {
      name: 'Google',
      path: 'google',
      id: config.GOOGLE_CLIENT_ID,
      secret: config.GOOGLE_CLIENT_SECRET,
      isOfficial: config.GOOGLE_TOKEN_URL === 'https://oauth2.googleapis.com/token',
      idForm: /^\d+-[a-z0-9]+\.apps\.googleusercontent\.com$/,
      secretForm: /^[\w-]{20,}$/,
      console: 'console.cloud.google.com/auth/clients',
    },
    {
      name: 'GitHub',
      path: 'github',
      id: config.GITHUB_CLIENT_ID,
      secret: config.GITHUB_CLIENT_SECRET,
      isOfficial: config.GITHUB_TOKEN_URL === 'https://github.com/login/oauth/access_token',
      idForm: /^(Ov23[A-Za-z0-9]{16}|Iv\d+[.A-Za-z0-9]{10,}|[0-9a-f]{20})$/,
      secretForm: /^[0-9a-f]{40}$/,
      console: 'github.com/settings/developers',
    },
  ];
}

function checkProvider(config: Config, { name, path, id, secret, isOfficial, ...rest }: Provider): Finding {
  const variable = `${path.toUpperCase()}_CLIENT`;
  if (!id)
    return notSet(
      name,
      config.sandbox
        ? `Test users sign in with a stand-in. For real accounts, set ${variable}_ID and ${variable}_SECRET.`
        : `The button is hidden. To show it, set ${variable}_ID and ${variable}_SECRET.`,
    );
  if (isOfficial && !rest.idForm.test(id))
    return wrong(
      name,
      `${variable}_ID does not look like a ${name} client ID. Copy it again from ${rest.console}.`,
    );
  if (isOfficial && !rest.secretForm.test(secret ?? ''))
    return wrong(
      name,
      `${variable}_SECRET does not look like a ${name} client secret. Copy it again from ${rest.console}.`,
    );
  return ok(
    name,
    `Set. The callback URL at ${rest.console} must be exactly ${config.publicUrl}/api/auth/${path}/callback`,
  );
}

export const checkSignIn = (config: Config): Finding[] =>
  listProviders(config).map((provider) => checkProvider(config, provider));
