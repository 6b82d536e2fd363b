/**
 * Inline script, whose hash is in the page's policy. If a guest pressed the button, it continues after the sign-in: the
 * click is remembered only in this tab, so that a link from another site cannot trigger a copy.
 */
export const continueScript =
  "(()=>{let k='continue-share',p=location.pathname;try{let s=sessionStorage,f=document.getElementById('continue-form'),b=document.getElementById('continue-sign-in');if(b)b.addEventListener('click',()=>{try{s.setItem(k,p)}catch{}});else if(f&&s.getItem(k)==p){s.removeItem(k);f.requestSubmit()}}catch{}})()";
