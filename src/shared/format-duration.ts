import { locale } from '#messages';

export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [amount, unit] =
    seconds < 90
      ? [seconds, 'second']
      : seconds < 90 * 60
        ? [Math.ceil(seconds / 60), 'minute']
        : seconds < 48 * 3600
          ? [Math.ceil(seconds / 3600), 'hour']
          : [Math.ceil(seconds / 86_400), 'day'];
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}
