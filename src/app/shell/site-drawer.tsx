import { Menu, X } from 'lucide-react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { DrawerNav } from './site-nav.tsx';
import { library } from './site-pages.ts';
import { UserField } from './user-field.tsx';
import { Wordmark } from './wordmark.tsx';

export function SiteDrawer({ here }: { here: string }) {
  return (
    <>
      <Button
        id="drawer-button"
        variant="ghost"
        size="icon"
        className="md:hidden"
        popoverTarget="site-drawer"
        aria-label={m.nav_menu()}
      >
        <Menu size={20} strokeWidth={1.75} aria-hidden="true" />
      </Button>
      <div
        id="site-drawer"
        className="drawer"
        popover="auto"
        role="dialog"
        aria-modal="true"
        aria-label={m.nav_menu()}
      >
        <div className="flex items-center justify-between h-(--header-h) ps-5 pe-3 border-b border-line">
          <Wordmark />
          <Button
            variant="ghost"
            size="icon"
            popoverTarget="site-drawer"
            popoverTargetAction="hide"
            aria-label={m.nav_close_menu()}
          >
            <X size={20} strokeWidth={1.75} aria-hidden="true" />
          </Button>
        </div>
        <DrawerNav here={here} />
        <div className="pt-4 px-5 pb-[max(var(--s-5),env(safe-area-inset-bottom))] border-t border-line">
          <Button
            className="w-full min-h-11"
            variant="primary"
            size="lg"
            href="/sign-in"
            data-sign-in=""
            data-when="out"
          >
            {m.nav_sign_in()}
          </Button>
          <div className="grid gap-2" data-when="in">
            <p>
              <UserField field="name" className="block font-semibold" />
              <UserField field="credits" className="fine" />
            </p>
            <Button className="w-full min-h-11" href={library.path}>
              {library.name()}
            </Button>
            <Button className="w-full min-h-11" href="/settings">
              {m.page_settings()}
            </Button>
            <form method="post" action="/api/sign-out" data-sign-out="">
              <Button type="submit" className="w-full min-h-11">
                {m.nav_sign_out()}
              </Button>
            </form>
          </div>
        </div>
      </div>
    </>
  );
}
