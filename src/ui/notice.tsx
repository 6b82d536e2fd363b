import type { HTMLAttributes, Ref } from 'react';

const kinds = {
  plain: 'notice',
  info: 'notice notice-info',
  success: 'notice notice-success',
  warning: 'notice notice-warning',
  danger: 'notice notice-danger',
} as const;

interface NoticeProps extends HTMLAttributes<HTMLElement> {
  kind?: keyof typeof kinds;
  /** Whether screen readers announce it when it appears. */
  live?: boolean;
  as?: 'p' | 'div' | 'section';
  ref?: Ref<HTMLElement & HTMLParagraphElement & HTMLDivElement>;
}

export function Notice({
  kind = 'plain',
  live = kind === 'danger',
  as: Tag = 'p',
  className = '',
  ...rest
}: NoticeProps) {
  const role = live ? (kind === 'danger' ? 'alert' : 'status') : undefined;
  return <Tag role={role} {...rest} className={`${kinds[kind]} ${className}`.trim()} />;
}
