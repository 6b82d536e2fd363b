import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import { LanguageSwitch } from '#ui/language-switch.tsx';
import { chat, company, legal, newsletter, type SitePage, tools } from './site-pages.ts';
import { Wordmark } from './wordmark.tsx';

function Group({
  id,
  name,
  pages,
  children,
}: {
  id: string;
  name: string;
  pages: readonly SitePage[];
  children?: React.ReactNode;
}) {
  return (
    <nav aria-labelledby={id}>
      <h2 className="eyebrow" id={id}>
        {name}
      </h2>
      <ul>
        {pages.map(({ path, name }) => (
          <li key={path}>
            <a href={path}>{name()}</a>
          </li>
        ))}
        {children}
      </ul>
    </nav>
  );
}

export function FooterContents() {
  return (
    <div className="wrap grid grid-cols-[minmax(0,2.2fr)_repeat(3,minmax(max-content,1fr))] gap-y-8 gap-x-12 max-ml:grid-cols-3 max-[36rem]:grid-cols-2">
      <div className="max-ml:col-span-full">
        <Wordmark className="text-fg min-h-(--hit) mb-1" />
        <ul className="disclaimers grid gap-2 max-w-[52ch] text-xs">
          <li>{m.disclaimer_independent({ site: setting('brand.name') })}</li>
          <li>{m.disclaimer_payments()}</li>
          <li>{m.disclaimer_mistakes()}</li>
        </ul>
        <div className="mt-5 text-xs">
          <LanguageSwitch />
        </div>
      </div>
      <Group id="footer-tools" name={m.nav_tools()} pages={[chat, ...tools()]} />
      <Group id="footer-company" name={m.footer_company()} pages={[...company, newsletter]}>
        <li>
          <a href={`mailto:${setting('contact.email')}`}>{m.footer_email()}</a>
        </li>
      </Group>
      <Group id="footer-legal" name={m.footer_legal()} pages={legal}>
        <li>
          <a href="/cookies#manage-your-choice" data-consent-open="">
            {m.footer_cookies()}
          </a>
        </li>
      </Group>
    </div>
  );
}
