/** A name of at least two labels: all hosts below a top-level domain belong to nobody in particular. */
const belowName = /^https:\/\/\*((?:\.[a-z0-9-]+){2,})$/;

/**
 * Of an origin, itself; of `https://*.example.com` every host below that name, over https at its own port.
 * @returns null where the text is neither.
 */
export function originPattern(text: string): ((url: URL) => boolean) | null {
  const below = belowName.exec(text)?.[1];
  if (below)
    return ({ protocol, port, hostname }) =>
      protocol === 'https:' && port === '' && hostname.endsWith(below) && !hostname.includes('*');
  if (text.includes('*') || URL.parse(text)?.origin !== text) return null;
  return ({ origin }) => origin === text;
}
