/**
 * Returns pages that try to escape: each tries one way to reach `outside` (host and port), to run code, or to touch the
 * page of `site`. The element to press has the id `press`; code that ran sets `data-ran`.
 */
export function hostilePages(outside: string, site: string): Record<string, string> {
  const at = (path: string) => `http://${outside}/${path}`;
  const script = (code: string) =>
    `<script>document.documentElement.setAttribute('data-ran', ''); ${code}</script>`;
  const inner = `<img src='${at('inner')}'><link rel='preconnect' href='${at('')}'><script>top.ran('inner')</script>`;
  return {
    'a fetch': script(`fetch('${at('fetch')}')`),
    'a beacon': script(`navigator.sendBeacon('${at('beacon')}', 'x')`),
    'an endless loop': script('for (;;);'),
    'a handler': `<img src="x:" onerror="document.body.setAttribute('data-ran', ''); parent.ran('handler')"><svg onload="parent.ran('svg')"></svg><details open ontoggle="parent.ran('toggle')"></details>`,
    'an address that runs': `<a id="press" href="javascript:document.body.setAttribute('data-ran', '')">press</a>`,
    'the page above': script(`top.location = '${at('top')}'; parent.document.body.remove()`),
    'what is stored': script("document.cookie; localStorage.length; parent.postMessage('stored', '*')"),
    'a window': script(`open('${at('window')}'); alert(1)`),
    'a socket': script(`new WebSocket('ws://${outside}/socket')`),
    'a peer': script(
      `const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${outside}' }] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))`,
    ),
    'a worker': script(
      `new Worker(URL.createObjectURL(new Blob(['fetch("${at('worker')}")']))); navigator.serviceWorker.register('/sw.js')`,
    ),
    'a module': `<script type="module">import '${at('module')}'</script><script src="${at('source')}"></script>`,
    'the rules of prefetching': `<script type="speculationrules">{"prefetch":[{"urls":["${at('rules')}"],"eagerness":"immediate"}]}</script>`,
    'an image': `<img src="${at('image')}"><img srcset="${at('set')} 1x"><picture><source srcset="${at('source')}"><img></picture><input type="image" src="${at('input')}"><body background="${at('body')}">`,
    'a style': `<style>@import '${at('import')}'; @font-face { font-family: x; src: url(${at('font')}) } p { font-family: x; background: url(${at('url')}); cursor: url(${at('cursor')}), auto }</style><p style="background: image-set('${at('inline')}' 1x)">x</p>`,
    'a sheet': `<link rel="stylesheet" href="${at('sheet')}"><link rel="icon" href="${at('icon')}"><link rel="manifest" href="${at('manifest')}">`,
    'a hint': ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'prerender']
      .map((rel) => `<link rel="${rel}" as="script" href="${at(rel)}">`)
      .join(''),
    'a hint in a shadow': `<div><template shadowrootmode="open"><link rel="preconnect" href="${at('')}"><img src="${at('shadow')}"></template></div><noscript><link rel="preconnect" href="${at('')}"><img src="${at('noscript')}"></noscript>`,
    'a hint in a drawing': `<svg><foreignObject><link xmlns="http://www.w3.org/1999/xhtml" rel="preconnect" href="${at('')}"></foreignObject><image href="${at('svg')}" /><use href="${at('use')}#a" /><script>parent.ran('svg')</script></svg>`,
    'a refresh': `<meta http-equiv="refresh" content="0;url=${at('refresh')}"><meta http-equiv="x-dns-prefetch-control" content="on">`,
    'a base': `<base href="${at('')}" target="_top"><img src="base"><a id="press" href="below">press</a>`,
    'a form': `<form action="${at('form')}" method="post" target="_top"><input name="a" value="b"><button id="press">press</button></form>`,
    'a link': `<a id="press" target="_blank" href="${at('link')}" ping="${at('ping')}">press</a>`,
    'a link above': `<a id="press" target="_top" href="${at('above')}">press</a>`,
    'a link to us': `<a id="press" href="${site}/sign-out">press</a>`,
    'a download': `<a id="press" download href="${at('download')}">press</a>`,
    'a link that moves': `<svg width="99" height="99"><a id="press"><set attributeName="href" to="${at('set')}" begin="0s" /><animate attributeName="xlink:href" values="${at('animate')}" begin="0s" /><text y="20">press</text></a></svg>`,
    'a frame': `<iframe src="${at('frame')}"></iframe><object data="${at('object')}"></object><embed src="${at('embed')}">`,
    'a frame of its own words': `<iframe srcdoc="${inner}"></iframe><iframe src="data:text/html,${inner}"></iframe>`,
    'a frame of ours': `<iframe src="${site}/chat/new"></iframe>`,
    'a film': `<video src="${at('video')}" poster="${at('poster')}" autoplay></video><audio src="${at('audio')}" autoplay></audio><track src="${at('track')}">`,
    'a sheet of XML': `<?xml-stylesheet href="${at('xml')}"?><html manifest="${at('cache')}">`,
    'words that close others': `</style></title></textarea></noscript><img src="${at('closed')}"><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;link rel=preconnect href='${at('')}'&gt;">`,
  };
}
