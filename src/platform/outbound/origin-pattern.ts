/** Requires at least two labels: hosts below a top-level domain have different owners. */
const belowName = /^https:\/\/\*((?:\.[a-z0-9-]+){2,})$/;

/**
 * Matches one origin, or for `https://*.example.com` every host below that name, over https and the default port.
 * @returns null if the text is neither
 */
export function originPattern(text: string): ((url: URL) => boolean) | null {
  const below = belowName.exec(text)?.[1];
  if (below)
    return ({ protocol, port, hostname }) =>
      protocol === 'https:' && port === '' && hostname.endsWith(below) && !hostname.includes('*');
  if (text.includes('*') || URL.parse(text)?.origin !== text) return null;
  return ({ origin }) => origin === text;
}
