/**
 * Inline, its hash is in the policy of the page. Whoever pressed the button as a guest goes on after the sign-in: the press is
 * remembered in this tab alone, so that no address of another site copies anything.
 */
export const continueScript =
  "(()=>{let k='continue-share',p=location.pathname;try{let s=sessionStorage,f=document.getElementById('continue-form'),b=document.getElementById('continue-sign-in');if(b)b.addEventListener('click',()=>{try{s.setItem(k,p)}catch{}});else if(f&&s.getItem(k)==p){s.removeItem(k);f.requestSubmit()}}catch{}})()";
