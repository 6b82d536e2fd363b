import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button, type ButtonProps } from './button.tsx';

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> &
  Pick<ButtonProps, 'variant'> & { Icon: LucideIcon; label: string; iconSize?: number };

export function IconButton({ Icon, label, iconSize = 16, variant = 'ghost', ...rest }: IconButtonProps) {
  return (
    <Button variant={variant} size="icon" aria-label={label} {...rest}>
      <Icon size={iconSize} strokeWidth={1.75} aria-hidden="true" />
    </Button>
  );
}
