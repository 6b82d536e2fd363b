import { site } from '../../../content/site.ts';
import { chat, company, legal, newsletter, type Place, tools } from './places.ts';
import { Wordmark } from './wordmark.tsx';

function Group({
  name,
  places,
  children,
}: {
  name: string;
  places: readonly Place[];
  children?: React.ReactNode;
}) {
  const id = `footer-${name.toLowerCase()}`;
  return (
    <nav aria-labelledby={id}>
      <h2 className="eyebrow" id={id}>
        {name}
      </h2>
      <ul>
        {places.map(({ path, name }) => (
          <li key={path}>
            <a href={path}>{name}</a>
          </li>
        ))}
        {children}
      </ul>
    </nav>
  );
}

/** Links in the groups of the specification, and what the site says of itself. */
export function FooterContents() {
  return (
    <div className="wrap site-footer-grid">
      <div className="site-footer-about">
        <a className="wordmark text-fg" href="/">
          <Wordmark />
        </a>
        <ul className="disclaimers">
          {site.disclaimers.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
      <Group name="Tools" places={[chat, ...tools]} />
      <Group name="Company" places={[...company, newsletter]}>
        <li>
          <a href={`mailto:${site.supportEmail}`}>Email support</a>
        </li>
      </Group>
      <Group name="Legal" places={legal}>
        <li>
          <a href="/cookies#manage-your-choice" data-consent-open="">
            Cookie preferences
          </a>
        </li>
      </Group>
    </div>
  );
}
