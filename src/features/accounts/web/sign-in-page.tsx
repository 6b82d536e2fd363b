export function SignInPage({
  title,
  stripQuery = false,
  aside,
  children,
}: {
  title: string;
  /** Makes the enhancement module remove the token from the address. */
  stripQuery?: boolean;
  aside?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <main
      id="main"
      className="wrap py-12 sm:py-24"
      data-no-return=""
      data-strip-query={stripQuery ? '' : undefined}
    >
      <div
        className={
          aside
            ? 'grid grid-cols-2 gap-y-12 gap-x-16 max-w-240 mx-auto max-md:grid-cols-[minmax(0,28rem)] max-md:justify-center'
            : 'mx-auto max-w-md'
        }
      >
        <div className="grid content-start gap-5">
          <h1 className="h1">{title}</h1>
          {children}
        </div>
        {aside}
      </div>
    </main>
  );
}
