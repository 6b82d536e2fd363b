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
