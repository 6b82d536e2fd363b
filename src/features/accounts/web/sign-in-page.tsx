/** The narrow page around each step of signing in. */
export function SignInPage({
  title,
  stripQuery = false,
  children,
}: {
  title: string;
  /** The address holds a token that the enhancement module takes out of it. */
  stripQuery?: boolean;
  children: React.ReactNode;
}) {
  return (
    <main id="main" className="wrap py-12 sm:py-24" data-strip-query={stripQuery ? '' : undefined}>
      <div className="mx-auto grid max-w-md gap-6">
        <h1 className="h1">{title}</h1>
        {children}
      </div>
    </main>
  );
}
