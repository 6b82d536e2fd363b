/**
 * The first script, inline, so that it sets the theme before the first paint; public pages allow it by its hash. It
 * reads the choice again on each `storage` event. It also hides the chat's sidebar if that was chosen (key `sidebar`).
 */
export const themeScript =
  "(()=>{let d=document.documentElement,m=matchMedia('(prefers-color-scheme: dark)'),a=()=>{let t;try{t=localStorage.getItem('theme')}catch{}d.dataset.theme=t=='light'||t=='dark'?t:m.matches?'dark':'light'};a();m.onchange=a;addEventListener('storage',e=>{e.key&&e.key!='theme'||a()});try{localStorage.getItem('sidebar')=='hidden'&&(d.dataset.sidebar='hidden')}catch{}})()";
