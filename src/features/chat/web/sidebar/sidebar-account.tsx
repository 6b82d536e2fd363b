import { ChevronsUpDown, Monitor, Moon, Sun } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Me } from '#features/accounts/contract.ts';
import { featureTable, planLimits, welcomeCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { lowCredits } from '../state/use-low-credits.ts';

interface PlanBoxProps {
  me: Me | null;
  onSignIn: () => void;
  onUpgrade: () => void;
}

interface PlanProps {
  label: string;
  isWarning?: boolean;
  button?: ReactNode;
  children: ReactNode;
}

function Plan({ label, isWarning, button, children }: PlanProps) {
  return (
    <div className="chat-plan flex items-center justify-between gap-3 px-2 py-1.5 text-xs">
      <div>
        <p className="text-2xs font-semibold tracking-[0.06em]">{label}</p>
        <p className={isWarning ? 'text-warning' : 'text-fg-muted'}>{children}</p>
      </div>
      {button}
    </div>
  );
}

export function PlanBox({ me, onSignIn, onUpgrade }: PlanBoxProps) {
  if (!me) {
    const button = (
      <Button variant="primary" onClick={onSignIn}>
        {m.chat_sign_in()}
      </Button>
    );
    return (
      <Plan label={m.chat_plan_guest()} button={button}>
        {m.chat_plan_guest_offer({ credits: welcomeCredits() })}
      </Plan>
    );
  }
  if (planLimits[me.plan].unlimited) return <Plan label={m.chat_plan_pro()}>{m.common_unlimited()}</Plan>;
  const { credits, chatsLeftToday: left } = me;
  return (
    <Plan
      label={m.chat_plan_free()}
      isWarning={credits <= lowCredits}
      button={<Button onClick={onUpgrade}>{m.upgrade_go_pro()}</Button>}
    >
      {m.chat_plan_credits({ credits })}
      {left === null ? null : <span className="block">{m.chat_plan_chats({ left })}</span>}
    </Plan>
  );
}

const themes = [
  { value: 'light', name: m.theme_light, Icon: Sun },
  { value: 'dark', name: m.theme_dark, Icon: Moon },
  { value: 'system', name: m.theme_system, Icon: Monitor },
] as const;

function ThemeChoice() {
  return (
    <fieldset className="js-only flex gap-0.5 p-1">
      <legend className="visually-hidden">{m.theme_label()}</legend>
      {themes.map(({ value, name, Icon }) => (
        <label
          key={value}
          className="menu-item theme-option justify-center gap-1.5 border border-transparent px-1 has-checked:border-line-strong has-checked:bg-sunken has-checked:font-semibold"
        >
          <input className="pointer-events-none absolute opacity-0" type="radio" name="theme" value={value} />
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
          {name()}
        </label>
      ))}
    </fieldset>
  );
}

function Avatar({ me }: { me: Me }) {
  return (
    <span
      className="grid size-6.5 shrink-0 place-items-center overflow-hidden rounded-full border border-line-strong bg-raised text-2xs font-semibold uppercase"
      aria-hidden="true"
    >
      {me.avatarUrl ? <img src={me.avatarUrl} alt="" /> : ([...me.name.trim()][0] ?? '?')}
    </span>
  );
}

interface AccountMenuProps {
  me: Me | null;
  onShortcuts: () => void;
}

export const AccountMenu = memo(function AccountMenu({ me, onShortcuts }: AccountMenuProps) {
  return (
    <Menu
      id="account-menu"
      className="w-72"
      button={{
        variant: 'ghost',
        className: 'w-full justify-start gap-2.5 px-2 font-normal text-fg',
        children: (
          <>
            {me ? <Avatar me={me} /> : null}
            {me ? <span className="visually-hidden">{m.nav_account()}</span> : null}
            <span className="min-w-0 flex-1 truncate text-start">{me ? me.name : m.chat_menu()}</span>
            <ChevronsUpDown size={16} strokeWidth={1.75} aria-hidden="true" />
          </>
        ),
      }}
    >
      {me ? (
        <>
          <p className="menu-text muted text-xs wrap-anywhere">{me.email}</p>
          <MenuItem href="/library">{m.page_library()}</MenuItem>
          <MenuItem href="/dashboard">{m.page_dashboard()}</MenuItem>
          <MenuItem href="/settings">{m.page_settings()}</MenuItem>
        </>
      ) : null}
      <MenuItem href="/tools">{m.page_all_tools()}</MenuItem>
      {featureTable.prompts.offered ? (
        <MenuItem href="/tools/prompts">{m.chat_menu_prompts()}</MenuItem>
      ) : null}
      <MenuItem href="/pricing">{m.page_pricing()}</MenuItem>
      <MenuItem href="/blog">{m.chat_menu_blog()}</MenuItem>
      <MenuItem onClick={onShortcuts}>{m.chat_shortcuts()}</MenuItem>
      <hr className="menu-line border-0" />
      <ThemeChoice />
      {me ? (
        <form method="post" action="/api/sign-out" data-sign-out="">
          <MenuItem type="submit">{m.nav_sign_out()}</MenuItem>
        </form>
      ) : null}
    </Menu>
  );
});
