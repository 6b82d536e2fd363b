import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { Me } from './me.tsx';
import { dashboard } from './places.ts';
import { SiteDrawer } from './site-drawer.tsx';
import { SiteNav } from './site-nav.tsx';
import { Wordmark } from './wordmark.tsx';

const themes = [
  { value: 'light', name: 'Light', Icon: Sun },
  { value: 'dark', name: 'Dark', Icon: Moon },
  { value: 'system', name: 'System', Icon: Monitor },
];

function ThemeMenu() {
  return (
    <>
      <button
        type="button"
        id="theme-button"
        className="btn btn-ghost btn-icon js-only"
        popoverTarget="theme-menu"
        aria-label="Theme"
      >
        <Sun className="icon-light" size={16} strokeWidth={1.75} aria-hidden="true" />
        <Moon className="icon-dark" size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <fieldset id="theme-menu" className="menu header-menu" popover="auto">
        <legend className="visually-hidden">Theme</legend>
        {themes.map(({ value, name, Icon }) => (
          <label key={value} className="menu-item theme-option">
            <input type="radio" name="theme" value={value} />
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            {name}
            <Check className="lucide-check" size={16} strokeWidth={1.75} aria-hidden="true" />
          </label>
        ))}
      </fieldset>
    </>
  );
}

function UserMenu() {
  return (
    <>
      <Me field="credits" className="fine" />
      <button
        type="button"
        id="user-button"
        className="initial"
        popoverTarget="user-menu"
        aria-label="Account"
      >
        <Me field="initial" />
      </button>
      <div id="user-menu" className="menu header-menu" popover="auto">
        <div className="menu-text">
          <Me field="name" className="block font-semibold" />
          <Me field="email" className="block muted wrap-anywhere" />
        </div>
        <div className="menu-line" />
        <a className="menu-item" href={dashboard.path}>
          {dashboard.name}
        </a>
        <a className="menu-item" href="/settings">
          Settings
        </a>
        <form method="post" action="/api/sign-out" data-sign-out="">
          <button type="submit" className="menu-item">
            Sign Out
          </button>
        </form>
      </div>
    </>
  );
}

/** The same on public and app pages; plain links, because the two kinds do not share a router. */
export function HeaderContents({ here }: { here: string }) {
  return (
    <div className="wrap site-header-bar">
      <a className="wordmark" href="/">
        <Wordmark />
      </a>
      <SiteNav here={here} />
      <div className="site-header-end">
        <ThemeMenu />
        <a className="btn btn-primary" href="/sign-in" data-sign-in="" data-when="out">
          Sign In
        </a>
        <div className="contents" data-when="in">
          <UserMenu />
        </div>
        <SiteDrawer here={here} />
      </div>
    </div>
  );
}
