/** The words of the specification for a path that is not ours. */
export function NotFoundView() {
  return (
    <main id="main" className="wrap py-24">
      <title>Page not found</title>
      <h1 className="text-4xl tracking-tighter font-[650]">
        <span className="mark">404</span>
      </h1>
      <p className="lead mt-6">Oops! Page not found</p>
      <p className="mt-8">
        <a className="btn btn-primary btn-lg" href="/">
          Return to Home
        </a>
      </p>
    </main>
  );
}
