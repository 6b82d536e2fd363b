/**
 * Inline and first, so that the theme stands before the first paint; its hash is in the policy of public pages. A
 * `storage` event on `window` makes it read the choice again. It also hides the sidebar of the chat (key `sidebar`).
 */
export const themeScript =
  "(()=>{let d=document.documentElement,m=matchMedia('(prefers-color-scheme: dark)'),a=()=>{let t;try{t=localStorage.getItem('theme')}catch{}d.dataset.theme=t=='light'||t=='dark'?t:m.matches?'dark':'light'};a();m.onchange=a;addEventListener('storage',e=>{e.key&&e.key!='theme'||a()});try{localStorage.getItem('sidebar')=='hidden'&&(d.dataset.sidebar='hidden')}catch{}})()";
