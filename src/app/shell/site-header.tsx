import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem, MenuPopover } from '#ui/menu.tsx';
import { SiteDrawer } from './site-drawer.tsx';
import { SiteNav } from './site-nav.tsx';
import { dashboard, library } from './site-pages.ts';
import { UserField } from './user-field.tsx';
import { Wordmark } from './wordmark.tsx';

const themes = [
  { value: 'light', name: m.theme_light, Icon: Sun },
  { value: 'dark', name: m.theme_dark, Icon: Moon },
  { value: 'system', name: m.theme_system, Icon: Monitor },
];

function ThemeMenu() {
  const button = (
    <>
      <Sun className="dark:hidden" size={16} strokeWidth={1.75} aria-hidden="true" />
      <Moon className="hidden dark:block" size={16} strokeWidth={1.75} aria-hidden="true" />
    </>
  );
  return (
    <Menu
      id="theme-menu"
      align="end"
      className="min-w-40 my-2.5"
      button={{
        id: 'theme-button',
        variant: 'ghost',
        size: 'icon',
        className: 'js-only',
        'aria-label': m.theme_label(),
        children: button,
      }}
    >
      <fieldset>
        <legend className="visually-hidden">{m.theme_label()}</legend>
        {themes.map(({ value, name, Icon }) => (
          <label key={value} className="menu-item theme-option">
            <input
              className="peer absolute opacity-0 pointer-events-none"
              type="radio"
              name="theme"
              value={value}
            />
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            {name()}
            <Check
              className="ms-auto not-peer-checked:invisible"
              size={16}
              strokeWidth={1.75}
              aria-hidden="true"
            />
          </label>
        ))}
      </fieldset>
    </Menu>
  );
}

function UserMenu() {
  return (
    <>
      <UserField field="credits" className="fine min-w-17 text-end whitespace-nowrap max-[22rem]:hidden" />
      <button
        type="button"
        id="user-button"
        className="initial grid place-items-center w-(--hit) h-(--hit) border rounded-full bg-surface font-[650] uppercase overflow-hidden border-line-strong hover:bg-sunken [&_img]:block [&_img]:size-(--hit)"
        popoverTarget="user-menu"
        aria-label={m.nav_account()}
      >
        <UserField field="initial" />
      </button>
      <MenuPopover id="user-menu" align="end" className="my-2.5">
        <div className="menu-text">
          <UserField field="name" className="block font-semibold" />
          <UserField field="email" className="block muted wrap-anywhere" />
        </div>
        <div className="menu-line" />
        <MenuItem href={dashboard.path}>{dashboard.name()}</MenuItem>
        <MenuItem href={library.path}>{library.name()}</MenuItem>
        <MenuItem href="/settings">{m.page_settings()}</MenuItem>
        <form method="post" action="/api/sign-out" data-sign-out="">
          <MenuItem type="submit">{m.nav_sign_out()}</MenuItem>
        </form>
      </MenuPopover>
    </>
  );
}

/** Uses plain links, because public and app pages do not share a router. */
export function HeaderContents({ here }: { here: string }) {
  return (
    <div className="wrap in-data-[frame=screen]:max-w-none in-data-[frame=screen]:px-4 flex items-center gap-5 h-[calc(var(--header-h)_-_1px)] max-xs:gap-3">
      <Wordmark />
      <SiteNav here={here} />
      {/* Invisible until its last part has arrived, because each part that arrives shifts the others. */}
      <div className="site-header-end flex flex-none items-center gap-2 ms-auto [&:not(:has(#drawer-button))]:invisible">
        <ThemeMenu />
        <Button variant="primary" href="/sign-in" data-sign-in="" data-when="out">
          {m.nav_sign_in()}
        </Button>
        <div className="contents" data-when="in">
          <UserMenu />
        </div>
        <SiteDrawer here={here} />
      </div>
    </div>
  );
}
