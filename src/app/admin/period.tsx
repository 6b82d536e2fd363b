const choices = [7, 30, 90, 365] as const;

/** Returns the length of the chosen period in days, including today. */
export function readPeriod(query: URLSearchParams): number {
  const requested = Number(query.get('days'));
  return choices.find((days) => days === requested) ?? 30;
}

export function Period({ path, days }: { path: string; days: number }) {
  return (
    <nav className="row text-sm" aria-label="Period">
      {choices.map((each) => (
        <a
          key={each}
          className={each === days ? 'font-semibold' : 'link'}
          href={`${path}?days=${each}`}
          aria-current={each === days ? 'true' : undefined}
        >
          {each} days
        </a>
      ))}
    </nav>
  );
}
