import { Links, Meta, Outlet, Scripts, useMatches } from 'react-router';
import { url } from 'virtual:enhance';

export function Layout({ children }: { children: React.ReactNode }) {
  const app = useMatches().some((match) => (match.handle as { page?: string } | undefined)?.page === 'app');
  return (
    <html lang="en">
      <head>
        <Meta />
        <Links />
        <script type="module" src={url} />
      </head>
      <body>
        {children}
        {app ? <Scripts /> : null}
      </body>
    </html>
  );
}
export default function Root() {
  return <Outlet />;
}
