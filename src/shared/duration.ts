/** A time to wait in words: seconds up to 90, then minutes, from 90 minutes on hours, from two days on days. */
export function inWords(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [amount, unit] =
    seconds < 90
      ? [seconds, 'second']
      : seconds < 90 * 60
        ? [Math.ceil(seconds / 60), 'minute']
        : seconds < 48 * 3600
          ? [Math.ceil(seconds / 3600), 'hour']
          : [Math.ceil(seconds / 86_400), 'day'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
