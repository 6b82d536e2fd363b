/** Keeps names such as GPT-5 on one line. */
export function NonBreakingTitle({ title }: { title: string }) {
  const parts = title.split(/(\b[A-Z]+-\d[\w.]*)/).map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
      <span key={at} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
  return <bdi lang="en">{parts}</bdi>;
}
