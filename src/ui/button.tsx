import type { ComponentProps } from 'react';

const variants = {
  primary: 'btn-primary',
  secondary: 'btn-secondary',
  ghost: 'btn-ghost',
  mark: 'btn-mark',
  danger: 'btn-danger',
} as const;
const sizes = { md: '', lg: 'btn-lg', icon: 'btn-icon' } as const;

interface ButtonStyle {
  variant?: keyof typeof variants;
  /** `icon` is square and needs an `aria-label`. */
  size?: keyof typeof sizes;
  className?: string | undefined;
  [data: `data-${string}`]: string | undefined;
}

/** For elements that cannot be a `Button`: a router link, the label of a file field. */
export function buttonClass({ variant = 'secondary', size = 'md', className }: ButtonStyle = {}): string {
  return ['btn', variants[variant], sizes[size], className].filter(Boolean).join(' ');
}

export type ButtonProps = ButtonStyle &
  (({ href: string } & ComponentProps<'a'>) | ({ href?: undefined } & ComponentProps<'button'>));

/** Renders a link if it has an `href`, otherwise a button. `aria-busy` shows a spinner. */
export function Button({ variant, size, className, ...rest }: ButtonProps) {
  const classes = buttonClass({ variant, size, className });
  return rest.href === undefined ? (
    <button type="button" {...rest} className={classes} />
  ) : (
    <a {...rest} className={classes} />
  );
}
