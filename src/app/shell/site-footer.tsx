import { site } from '../../../content/site.ts';

/** Links that exist, and what the site says of itself. */
export function SiteFooter() {
  return (
    <footer className="site-footer">
      <div className="wrap site-footer-grid">
        <div>
          <p className="wordmark text-fg">{site.name}</p>
          <nav aria-label="Footer">
            <ul>
              <li>
                <a href="/">Home</a>
              </li>
              <li>
                <a href="/chat">Chat</a>
              </li>
              <li>
                <a href="/privacy">Privacy</a>
              </li>
              <li>
                <a href="/terms">Terms</a>
              </li>
              <li>
                <a href="/cookies">Cookies</a>
              </li>
              <li>
                <a href="/cookies#manage-your-choice" data-consent-open="">
                  Cookie preferences
                </a>
              </li>
            </ul>
          </nav>
        </div>
        <ul className="disclaimers">
          {site.disclaimers.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
