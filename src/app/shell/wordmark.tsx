import { site } from '../../../content/site.ts';

/** The operator's picture or, without one, the name in type. */
export function Wordmark() {
  const { logo, name } = site;
  return logo ? (
    <img className="wordmark-picture" src={logo.path} alt={name} width={logo.width} height={logo.height} />
  ) : (
    name
  );
}
