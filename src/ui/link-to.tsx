/** For an element of a message: its words lead there. */
export const linkTo = (href: string) => (text: string) => (
  <a className="link" href={href}>
    {text}
  </a>
);
