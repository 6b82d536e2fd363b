/** The name of a plan at the head of its half, marked where it is the visitor's. */
export function PlanName({ id, name, own }: { id: string; name: string; own: boolean }) {
  return (
    <div className="plan-name">
      <h2 className="font-semibold" id={id}>
        {name}
      </h2>
      {own ? <span className="mark text-sm">Your plan</span> : null}
    </div>
  );
}
