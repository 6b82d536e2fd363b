import { site } from '../../../content/site.ts';

/** The operator's picture or, without one, the name in type. */
export function Wordmark() {
  return site.logo ? (
    <img className="wordmark-picture" src={site.logo} alt={site.name} height={24} />
  ) : (
    site.name
  );
}
