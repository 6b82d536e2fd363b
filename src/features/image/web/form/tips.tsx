/** What makes prompts work; it folds. */
export function Tips() {
  return (
    <details className="image-tips" open>
      <summary>Tips for better images</summary>
      <ul className="tick-list">
        <li>
          <span>
            Name <strong>subject, place and light</strong>: “a tin lighthouse on a pebble beach, low evening
            sun”.
          </span>
        </li>
        <li>
          <span>
            Say how it is made: <strong>watercolour, 35 mm photo, linocut, flat vector</strong>.
          </span>
        </li>
        <li>
          <span>
            Say how near you are: <strong>close-up, seen from above, wide view</strong>.
          </span>
        </li>
        <li>
          <span>Leave room for a headline by asking for an empty sky or a plain background on one side.</span>
        </li>
        <li>
          <span>Long lettering comes out wrong. Add words to the picture afterwards.</span>
        </li>
      </ul>
    </details>
  );
}
