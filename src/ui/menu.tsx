import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import { Button, type ButtonProps } from './button.tsx';

const MenuContext = createContext<string | undefined>(undefined);

interface MenuPopoverProps {
  id: string;
  align?: 'start' | 'end';
  className?: string;
  children: ReactNode;
}

/**
 * Opened without a script by the `popoverTarget` of the button before it; the enhancement module adds the arrow keys.
 */
export function MenuPopover({ id, align = 'start', className = '', children }: MenuPopoverProps) {
  const classes = ['menu menu-below', align === 'end' && 'menu-end', className];
  return (
    <div id={id} popover="auto" className={classes.filter(Boolean).join(' ')}>
      <MenuContext value={id}>{children}</MenuContext>
    </div>
  );
}

export function Menu({
  id,
  button,
  ...rest
}: Partial<MenuPopoverProps> & { button: ButtonProps; children: ReactNode }) {
  const generatedId = useId();
  return (
    <>
      <Button {...button} popoverTarget={id ?? generatedId} />
      <MenuPopover id={id ?? generatedId} {...rest} />
    </>
  );
}

type MenuItemProps =
  | ({ href: string } & ComponentProps<'a'>)
  | ({ href?: undefined } & ComponentProps<'button'>);

export function MenuItem({ keepsOpen = false, ...props }: MenuItemProps & { keepsOpen?: boolean }) {
  const menu = useContext(MenuContext);
  if (props.href !== undefined) return <a {...props} className="menu-item" />;
  return (
    <button
      type="button"
      popoverTarget={keepsOpen ? undefined : menu}
      popoverTargetAction="hide"
      {...props}
      className="menu-item"
    />
  );
}
