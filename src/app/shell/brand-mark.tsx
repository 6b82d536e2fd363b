/** The logo in one color; public/favicon.svg is the colored version. */
export function BrandMark() {
  return (
    <svg className="size-5.5 flex-none" viewBox="0 0 32 32" fill="currentColor" aria-hidden="true">
      <path
        fillRule="evenodd"
        d="M7 0h18a7 7 0 0 1 7 7v18a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7V7a7 7 0 0 1 7-7zm0 7.5V10h13V7.5zm-2 5v7h22v-7zM7 22v2.5h9V22zm0-7.25h17v2.5H7z"
      />
    </svg>
  );
}
